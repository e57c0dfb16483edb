package dbapi

import (
	"maps"
	"slices"
)

// cloud is the table of the SDKs of cloud providers and of object stores. Their
// operations are many and of one form:
//   - https://pkg.go.dev/github.com/aws/aws-sdk-go-v2: methods of each service's Client
//   - https://pkg.go.dev/github.com/aws/aws-sdk-go: methods of services that return an Output
//   - https://pkg.go.dev/cloud.google.com/go: methods with a context and an error
//   - https://pkg.go.dev/github.com/Azure/azure-sdk-for-go/sdk: the same
//   - https://pkg.go.dev/github.com/minio/minio-go/v7
//   - https://gocloud.dev
func cloud() *Library {
	const (
		aws2, aws1 = "github.com/aws/aws-sdk-go-v2/", "github.com/aws/aws-sdk-go/"
		gcp        = "cloud.google.com/go/"
		azure      = "github.com/Azure/azure-sdk-for-go/sdk/"
		awsCall    = "a request to AWS"
		gcpCall    = "a request to Google Cloud"
		azureCall  = "a request to Azure"
		local      = "-Options -Presign*"
	)
	lib := &Library{
		Name: "cloud",
		Packages: []string{
			aws2 + "service/...", aws2 + "feature/...", aws1 + "service/...", gcp + "...", azure + "...",
			"github.com/minio/minio-go", "gocloud.dev/...", "google.golang.org/api/...",
		},
		Funcs: join(
			on("*github.com/minio/minio-go/v7.Object",
				ext("Read", "object data", objectStore),
				ext("ReadAt", "object data offset", objectStore),
				ext("Stat", "object", objectStore),
			),
			on("*"+gcp+"storage.Writer", ext("Write", "w data", objectStore), ext("Close", "w", objectStore)),
			on("*"+gcp+"storage.Reader", ext("Read", "r data", objectStore)),
			on("*"+gcp+"pubsub.Topic", ext("Publish", "topic ctx msg", "a message to Pub/Sub", async)),
			on("*"+gcp+"pubsub/v2.Publisher", ext("Publish", "topic ctx msg", "a message to Pub/Sub", async)),
		),
		Shapes: []Shape{
			{On: aws2 + "feature/s3/....Uploader", Context: true, Error: true, What: objectStore},
			{On: aws2 + "feature/s3/....Downloader", Context: true, Error: true, What: objectStore},
			{On: aws2 + "feature/s3/....Client", Context: true, Error: true, What: objectStore},
			{On: aws1 + "service/s3/s3manager.*", Names: "Upload* Download* Delete", Error: true, What: objectStore},

			{On: azure + "storage/azblob/....*Client", Context: true, Error: true, What: objectStore},
			{On: azure + "messaging/....*", Context: true, Error: true, What: "a message to a broker"},
			{On: azure + "....*", Context: true, Error: true, What: azureCall},
			{On: "github.com/Azure/azure-storage-blob-go/....*URL", Context: true, Error: true, What: objectStore},

			{On: "github.com/minio/minio-go.Client", Context: true, Names: local, What: objectStore},
			{On: "github.com/minio/minio-go.Core", Context: true, Names: local, What: objectStore},
			{On: "gocloud.dev/blob.*", Context: true, Error: true, Names: "-NewWriter", What: objectStore},
			{On: "gocloud.dev/pubsub.*", Context: true, Error: true, What: "a message to a broker"},
			{On: "gocloud.dev/secrets.*", Context: true, Error: true, What: "a request to a key store"},
			{On: "gocloud.dev/docstore.*", Context: true, Error: true, What: otherDB},
			{On: "google.golang.org/api/....*Call", Names: "Do Pages Download", Error: true, What: "a request to Google"},
			{On: "google.golang.org/api/iterator.*", Names: "NextPage", Error: true, What: "a request to Google"},
			{On: "firebase.google.com/go/....*", Context: true, Error: true, Names: "-Verify* -CustomToken*", What: "a request to Firebase"},
		},
	}
	services := map[string]string{
		"...": awsCall, "s3": objectStore, "s3control": objectStore, "s3/s3iface": objectStore,
		"sqs": "a message to SQS", "sns": "a message to SNS", "sqs/sqsiface": "a message to SQS", "sns/snsiface": "a message to SNS",
		"ses": aMail, "sesv2": aMail, "lambda": "a Lambda call", "kinesis": "a message to Kinesis", "eventbridge": "an event to EventBridge",
		"dynamodb": otherDB, "dynamodb/dynamodbiface": otherDB,
	}
	for _, service := range slices.Sorted(maps.Keys(services)) {
		words := services[service]
		lib.Shapes = append(lib.Shapes,
			Shape{On: aws2 + "service/" + service + ".Client", Context: true, Error: true, Names: local, What: words},
			Shape{On: aws2 + "service/" + service + ".*Paginator", Names: "NextPage", Context: true, Error: true, What: words},
			Shape{On: aws2 + "service/" + service + ".*Waiter", Names: "Wait WaitForOutput", Context: true, What: words},
			Shape{On: aws1 + "service/" + service + ".*", Result: aws1 + "service/....*Output", Error: true, What: words},
			Shape{On: aws1 + "service/" + service + ".*", Names: "*Pages *PagesWithContext WaitUntil*", Error: true, What: words},
			// The interfaces that users write.
			Shape{With: aws2 + "service/" + service + ".*Input", Context: true, Error: true, Result: aws2 + "service/....*Output", What: words},
			Shape{With: aws1 + "service/" + service + ".*Input", Error: true, Result: aws1 + "service/....*Output", What: words},
		)
	}
	packages := map[string]string{
		"...": gcpCall, "storage/...": objectStore, "pubsub/...": "a message to Pub/Sub", "firestore/...": otherDB, "datastore/...": otherDB,
		"bigquery/...": otherDB, "bigtable/...": otherDB, "spanner/...": otherDB,
	}
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		words := packages[pkg]
		lib.Shapes = append(lib.Shapes,
			Shape{On: gcp + pkg + ".*Server", Role: Inside}, // what generated code asks of a server
			Shape{On: gcp + pkg + ".*", Context: true, Error: true, What: words},
			Shape{On: gcp + pkg + ".*Iterator", Names: "Next NextPage", Error: true, What: words},
			Shape{On: gcp + pkg + ".*PublishResult", Names: "Get", Context: true, What: words},
		)
	}
	for _, pkg := range []string{
		gcp + "cloudsqlconn", gcp + "alloydbconn", // dialers of the database itself
		gcp + "logging", gcp + "errorreporting", gcp + "profiler", gcp + "trace", gcp + "auth",
		azure + "azcore/tracing", azure + "azcore/policy",
	} {
		lib.Shapes = append(lib.Shapes, Shape{On: pkg + "/....*", Role: Inside})
	}
	return lib
}

// services is the table of the clients of web services and of the APIs of
// infrastructure, each an SDK whose methods send a request.
func services() *Library {
	lib := &Library{
		Name: "services",
		Shapes: []Shape{
			// Stripe has functions and methods; webhook only verifies signatures.
			{On: "github.com/stripe/stripe-go/webhook.*", Funcs: true, Role: Inside},
			{On: "github.com/stripe/stripe-go/form.*", Funcs: true, Role: Inside},
			{On: "github.com/stripe/stripe-go/....*", Funcs: true, Error: true, Result: "github.com/stripe/stripe-go/....*", Names: "-ConstructEvent* -Parse*", What: "a request to Stripe"},
			{On: "github.com/stripe/stripe-go.*", Names: "Call CallStreaming CallRaw CallMultipart RawRequest", What: "a request to Stripe"},
			{On: "github.com/stripe/stripe-go.*Service", Context: true, Error: true, What: "a request to Stripe"},
			{On: "github.com/stripe/stripe-go.*Iter", Names: "Next", What: "a request to Stripe"},

			{On: "k8s.io/client-go/rest.Request", Names: "Do DoRaw Stream Watch", Context: true, What: "a request to Kubernetes"},
			{On: "go.temporal.io/sdk/internal.WorkflowRun", Names: "Get GetWithOptions", Context: true, What: "waiting for a workflow"},
			{On: "go.uber.org/cadence/internal.WorkflowRun", Names: "Get", Context: true, What: "waiting for a workflow"},
			{On: "gopkg.in/telebot.Bot", Error: true, What: "a request to Telegram"},
			{On: "github.com/hashicorp/consul/api.*", Error: true, Names: "-Parse* -New*", What: "a request to Consul"},
			{On: "github.com/hashicorp/vault/api.*", Error: true, Names: "Read* Write* List* Delete* Patch* Get* Put* Login* Lookup* Renew* Create* Revoke* Unwrap*", What: "a request to Vault"},
			{On: "github.com/SherClockHolmes/webpush-go.*", Funcs: true, Names: "SendNotification SendNotificationWithContext", What: "a web push"},
			{On: "github.com/sideshow/apns2.Client", Names: "Push PushWithContext", What: "a push notification"},
		},
	}
	// These have a context and an error: what else their packages have is local.
	withContext := map[string]string{
		"k8s.io/client-go/kubernetes/....*":              "a request to Kubernetes",
		"k8s.io/client-go/dynamic.*":                     "a request to Kubernetes",
		"sigs.k8s.io/controller-runtime/pkg/client.*":    "a request to Kubernetes",
		"go.etcd.io/etcd/client.*":                       "a request to etcd",
		"go.etcd.io/etcd/clientv3.*":                     "a request to etcd",
		"go.etcd.io/etcd/client/v3/concurrency.*":        "a lock in etcd",
		"github.com/docker/docker/client.*Client":        "a request to Docker",
		"github.com/moby/moby/client.*Client":            "a request to Docker",
		"github.com/google/go-github/github.*Service":    "a request to GitHub",
		"github.com/shurcooL/githubv4.Client":            "a request to GitHub",
		"github.com/sashabaranov/go-openai.Client":       "a request to OpenAI",
		"github.com/openai/openai-go/....*Service":       "a request to OpenAI",
		"github.com/anthropics/anthropic-sdk-go.*":       "a request to Anthropic",
		"github.com/tmc/langchaingo/llms/....*":          "a request to a language model",
		"google.golang.org/genai.*":                      "a request to Google",
		"github.com/google/generative-ai-go/genai.*":     "a request to Google",
		"github.com/go-telegram/bot.Bot":                 "a request to Telegram",
		"github.com/plaid/plaid-go/....*":                "a request to Plaid",
		"github.com/getbrevo/brevo-go/lib.*":             aMail,
		"github.com/DataDog/datadog-api-client-go/....*": "a request to Datadog",
		"go.temporal.io/sdk/client.*":                    "a request to Temporal",
		"go.temporal.io/sdk/internal.*Client":            "a request to Temporal",
		"go.uber.org/cadence/client.*":                   "a request to Cadence",
		"go.uber.org/cadence/internal.*Client":           "a request to Cadence",
		"github.com/zeebe-io/zeebe/clients/go/....*":     "a request to Zeebe",
	}
	for _, on := range slices.Sorted(maps.Keys(withContext)) {
		lib.Shapes = append(lib.Shapes, Shape{On: on, Context: true, Error: true, What: withContext[on]})
	}
	// These have an error, and a context only in some methods.
	withError := map[string]string{
		"github.com/slack-go/slack.Client":                       "a request to Slack",
		"github.com/nlopes/slack.Client":                         "a request to Slack",
		"github.com/go-telegram-bot-api/telegram-bot-api.BotAPI": "a request to Telegram",
		"gopkg.in/tucnak/telebot.Bot":                            "a request to Telegram",
		"github.com/bwmarrin/discordgo.Session":                  "a request to Discord",
		"github.com/line/line-bot-sdk-go/....*":                  "a request to LINE",
		"github.com/twilio/twilio-go/rest/....ApiService":        "a request to Twilio",
		"github.com/xanzy/go-gitlab.*Service":                    "a request to GitLab",
		"gitlab.com/gitlab-org/api/client-go.*":                  "a request to GitLab",
		"github.com/andygrunwald/go-jira.*Service":               "a request to Jira",
		"github.com/plutov/paypal.Client":                        "a request to PayPal",
		"github.com/braintree-go/braintree-go.*Gateway":          "a request to Braintree",
		"github.com/algolia/algoliasearch-client-go/....*Client": "a search request",
		"github.com/algolia/algoliasearch-client-go/....Index":   "a search request",
		"github.com/meilisearch/meilisearch-go.*":                "a search request",
	}
	for _, on := range slices.Sorted(maps.Keys(withError)) {
		lib.Shapes = append(lib.Shapes, Shape{On: on, Error: true, What: withError[on]})
	}
	lib.Funcs = in("github.com/slack-go/slack",
		ext("PostWebhook", "url message", "a request to Slack"),
		ext("PostWebhookContext", "ctx url message", "a request to Slack"),
	)
	return lib
}
