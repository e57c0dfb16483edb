package dbapi

// brokers is the table of message brokers and job queues:
// https://pkg.go.dev/github.com/segmentio/kafka-go,
// https://pkg.go.dev/github.com/IBM/sarama,
// https://pkg.go.dev/github.com/twmb/franz-go/pkg/kgo,
// https://pkg.go.dev/github.com/confluentinc/confluent-kafka-go/v2/kafka,
// https://pkg.go.dev/github.com/rabbitmq/amqp091-go,
// https://pkg.go.dev/github.com/nats-io/nats.go,
// https://pkg.go.dev/github.com/nsqio/go-nsq,
// https://watermill.io, https://pkg.go.dev/github.com/hibiken/asynq.
func brokers() *Library {
	const (
		kafka  = "a message to Kafka"
		amqp   = "a message to RabbitMQ"
		nats   = "a message to NATS"
		nsq    = "a message to NSQ"
		broker = "a message to a broker"
		job    = "a job for a queue in Redis"

		segmentio = "github.com/segmentio/kafka-go"
		kgo       = "github.com/twmb/franz-go/pkg/kgo"
		confluent = "github.com/confluentinc/confluent-kafka-go/v2/kafka"
		natsgo    = "github.com/nats-io/nats.go"
		watermill = "github.com/ThreeDotsLabs/watermill"
		gonsq     = "github.com/nsqio/go-nsq"
		asynq     = "github.com/hibiken/asynq"
	)
	lib := &Library{
		Name: "brokers",
		Packages: []string{
			segmentio, kgo, confluent, "github.com/IBM/sarama", "github.com/Shopify/sarama", "github.com/rabbitmq/amqp091-go",
			"github.com/streadway/amqp", natsgo + "/...", watermill + "/...", gonsq, asynq,
		},
		Funcs: join(
			on("*"+segmentio+".Conn",
				ext("Write", "conn data", kafka),
				ext("WriteMessages", "conn msgs", kafka),
				ext("WriteCompressedMessages", "conn codec msgs", kafka),
				ext("ReadMessage", "conn max", kafka),
			),
			on("*"+kgo+".Client",
				ext("ProduceSync", "client ctx records", kafka),
				ext("Produce TryProduce", "client ctx record promise", kafka, async),
				ext("PollFetches", "client ctx", "a read from Kafka"),
				ext("PollRecords", "client ctx n", "a read from Kafka"),
			),
			on("*"+kgo+".GroupTransactSession",
				ext("ProduceSync", "session ctx records", kafka),
				ext("Produce TryProduce", "session ctx record promise", kafka, async),
			),
			on("*"+confluent+".Producer",
				ext("Produce", "producer msg delivered", kafka, async),
				ext("Flush", "producer limit", kafka),
				ext("GetMetadata", "producer topic all limit", "a read from Kafka"),
			),
			on("*"+confluent+".Consumer",
				ext("Poll ReadMessage", "consumer limit", "a read from Kafka"),
				ext("Commit", "consumer", "a read from Kafka"),
				ext("CommitMessage CommitOffsets", "consumer msg", "a read from Kafka"),
			),
			on("*"+natsgo+".Conn",
				ext("Publish", "conn subject data", nats, async),
				ext("PublishMsg", "conn msg", nats, async),
				ext("PublishRequest", "conn subject reply data", nats, async),
				ext("Request", "conn subject data limit", nats),
				ext("RequestMsg", "conn msg limit", nats),
				ext("RequestWithContext", "conn ctx subject data", nats),
				ext("RequestMsgWithContext", "conn ctx msg", nats),
				ext("Flush", "conn", nats),
				ext("FlushTimeout", "conn limit", nats),
				ext("FlushWithContext", "conn ctx", nats),
			),
			on("*"+natsgo+".EncodedConn",
				ext("Publish", "conn subject val", nats, async),
				ext("Request", "conn subject val dst limit", nats),
			),
			on(natsgo+".JetStream",
				ext("Publish", "js subject data opts", nats),
				ext("PublishMsg", "js msg opts", nats),
				ext("PublishAsync", "js subject data opts", nats, async),
				ext("PublishMsgAsync", "js msg opts", nats, async),
			),
			on("*"+natsgo+".Subscription",
				ext("NextMsg", "sub limit", "a read from NATS"),
				ext("NextMsgWithContext", "sub ctx", "a read from NATS"),
				ext("Fetch FetchBatch", "sub n opts", "a read from NATS"),
			),
			on(natsgo+"/jetstream.Publisher",
				ext("Publish", "js ctx subject data opts", nats),
				ext("PublishMsg", "js ctx msg opts", nats),
				ext("PublishAsync", "js subject data opts", nats, async),
				ext("PublishMsgAsync", "js msg opts", nats, async),
			),
			// The SQL publisher of watermill, of which the table of queues has the
			// interface too, writes to the database.
			on(watermill+"/components/cqrs.EventBus", ext("Publish", "bus ctx val", broker, maybe)),
			on(watermill+"/components/cqrs.CommandBus", ext("Send", "bus ctx val", broker, maybe)),
			on("*"+gonsq+".Producer",
				ext("Publish", "producer topic data", nsq),
				ext("MultiPublish", "producer topic data", nsq),
				ext("DeferredPublish", "producer topic delay data", nsq),
				ext("PublishAsync MultiPublishAsync", "producer topic data done args", nsq, async),
				ext("DeferredPublishAsync", "producer topic delay data done args", nsq, async),
				ext("Ping", "producer", nsq),
			),
			on("*"+asynq+".Client",
				ext("Enqueue", "client task opts", job),
				ext("EnqueueContext", "client ctx task opts", job),
			),
		),
		Shapes: []Shape{
			{On: segmentio + ".Reader", Context: true, Error: true, What: "a read from Kafka"},
			{On: segmentio + ".ConsumerGroup", Context: true, Error: true, What: "a read from Kafka"},
			{On: segmentio + ".*", Context: true, Error: true, What: kafka},
			{With: segmentio + ".Message", Names: "WriteMessages", Error: true, What: kafka},
			{On: kgo + ".*", Context: true, Error: true, What: kafka},
			{On: "github.com/twmb/franz-go/pkg/kadm.Client", Context: true, Error: true, What: "a request to Kafka"},
			{With: kgo + ".Record", Names: "ProduceSync", Context: true, What: kafka},
			{With: "github.com/confluentinc/confluent-kafka-go/kafka.Message", Names: "Produce", Error: true, What: kafka, Async: true},
			{On: "github.com/wagslane/go-rabbitmq.Publisher", Names: "Publish*", Error: true, What: amqp},
			{With: natsgo + ".Msg", Names: "PublishMsg", Error: true, What: nats, Async: true},
			{On: natsgo + "/jetstream.*", Context: true, Error: true, Names: "-OrderedConsumer", What: "a request to NATS"},
			{On: natsgo + ".*", Names: "AddStream UpdateStream DeleteStream StreamInfo AddConsumer UpdateConsumer DeleteConsumer ConsumerInfo", Error: true, What: "a request to NATS"},
			{On: natsgo + ".KeyValue", Names: "Get GetRevision Put PutString Create Update Delete Purge", Error: true, What: "a request to NATS"},
			{On: "github.com/ThreeDotsLabs/watermill-sql/....*", Role: Inside},
			{With: watermill + "/message.Message", Names: "Publish", Error: true, What: broker, Maybe: true},
			{With: asynq + ".Task", Names: "Enqueue EnqueueContext", Error: true, What: job},
			{On: asynq + ".Inspector", Error: true, What: "a Redis command"},
			{On: "github.com/RichardKnop/machinery/....Server", Names: "Send*", Error: true, What: broker},
			{On: "github.com/gocraft/work.Enqueuer", Names: "Enqueue*", Error: true, What: job},
			{On: "github.com/adjust/rmq.Queue", Names: "Publish*", Error: true, What: job},
			{On: "github.com/eclipse/paho.mqtt.golang.Client", Names: "Publish Subscribe Connect", What: "a message over MQTT", Async: true},
			{On: "github.com/eclipse/paho.mqtt.golang.Token", Names: "Wait WaitTimeout", What: "a message over MQTT"},
			{On: "github.com/apache/pulsar-client-go/pulsar.Producer", Names: "Send Flush", What: "a message to Pulsar"},
			{On: "github.com/apache/pulsar-client-go/pulsar.Producer", Names: "SendAsync", What: "a message to Pulsar", Async: true},
			{On: "github.com/cloudevents/sdk-go/client.Client", Names: "Send Request", Context: true, What: "an event"},
			{On: "github.com/hibiken/asynq.Scheduler", Role: Inside},
			{On: "github.com/riverqueue/river.*", Role: Inside}, // jobs are rows
		},
	}
	for _, pkg := range []string{"github.com/IBM/sarama", "github.com/Shopify/sarama"} {
		lib.Funcs = append(lib.Funcs, join(
			on(pkg+".SyncProducer",
				ext("SendMessage", "producer msg", kafka),
				ext("SendMessages", "producer msgs", kafka),
			),
			on(pkg+".ConsumerGroup", ext("Consume", "group ctx topics handler", "a read from Kafka")),
		)...)
		lib.Shapes = append(lib.Shapes,
			Shape{With: pkg + ".ProducerMessage", Names: "SendMessage SendMessages", Error: true, What: kafka},
			Shape{On: pkg + ".Broker", Names: "-Addr -Connected -Rack -AsyncProduce", Error: true, What: "a request to Kafka"},
			Shape{On: pkg + ".ClusterAdmin", Names: "-Close", Error: true, What: "a request to Kafka"},
		)
	}
	for _, pkg := range []string{"github.com/rabbitmq/amqp091-go", "github.com/streadway/amqp"} {
		lib.Funcs = append(lib.Funcs, join(
			in(pkg, ext("Dial", "url", connection), ext("DialTLS", "url tls", connection), ext("DialConfig", "url config", connection)),
			on("*"+pkg+".Connection", ext("Channel", "conn", "a channel to RabbitMQ")),
			on("*"+pkg+".Channel",
				ext("Publish", "ch exchange key mandatory immediate msg", amqp),
				ext("ExchangeDeclare", "ch exchange kind durable delete internal nowait more", "a request to RabbitMQ"),
				ext("QueueDeclare", "ch queue durable delete exclusive nowait more", "a request to RabbitMQ"),
				ext("QueueBind", "ch queue key exchange nowait more", "a request to RabbitMQ"),
				ext("Get", "ch queue ack", "a read from RabbitMQ"),
			),
		)...)
		lib.Shapes = append(lib.Shapes,
			Shape{With: pkg + ".Publishing", Names: "Publish*", What: amqp},
			Shape{On: pkg + ".Channel", Names: "Publish* Tx*", Error: true, What: amqp},
			Shape{On: pkg + ".DeferredConfirmation", Names: "Wait WaitContext", What: amqp},
		)
	}
	return lib
}
