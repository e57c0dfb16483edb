package dbapi

// retry is the table of the libraries that call a function again:
// https://pkg.go.dev/github.com/avast/retry-go/v4,
// https://pkg.go.dev/github.com/cenkalti/backoff/v5,
// https://pkg.go.dev/github.com/sethvargo/go-retry,
// https://pkg.go.dev/github.com/eapache/go-resiliency/retrier,
// https://pkg.go.dev/github.com/matryer/try, https://failsafe-go.dev,
// https://pkg.go.dev/k8s.io/apimachinery/pkg/util/wait. It has no Packages: to
// import them is not to leave the process.
func retry() *Library {
	const (
		avast    = "github.com/avast/retry-go"
		cenkalti = "github.com/cenkalti/backoff"
		sethvar  = "github.com/sethvargo/go-retry"
		eapache  = "github.com/eapache/go-resiliency/retrier"
		failsafe = "github.com/failsafe-go/failsafe-go"
		k8s      = "k8s.io/apimachinery/pkg/util/wait"
		onErr    = "k8s.io/client-go/util/retry"
	)
	always := again(OnError)
	lib := &Library{
		Name: "retry",
		Funcs: join(
			in(avast+"/v4", f("Do DoWithData", Retry, "fn opts", always)),
			in(avast+"/v5", f("New NewWithData", RetryOption, "opts")),
			on("*"+avast+"/v5.Retrier", f("Do", Retry, "opts fn", always)),
			on("*"+avast+"/v5.RetrierWithData", f("Do", Retry, "opts fn", always)),

			in(cenkalti+"/v3", backoffFuncs()),
			in(cenkalti+"/v4", backoffFuncs(),
				f("RetryWithData", Retry, "fn opts", always),
				f("RetryNotifyWithData", Retry, "fn opts notify", always),
				f("RetryNotifyWithTimer RetryNotifyWithTimerAndData", Retry, "fn opts notify timer", always),
			),
			in(cenkalti+"/v5", f("Retry", Retry, "ctx fn opts", always), f("Permanent", Permanent, "from")),

			in(sethvar,
				f("Do DoValue Constant Exponential Fibonacci", Retry, "ctx opts fn(ctx)", again(OnMarked)),
				f("RetryableError", Retryable, "from"),
			),
			in(eapache, f("New", RetryOption, "delays opts")),
			on("*"+eapache+".Retrier",
				f("Run", Retry, "opts fn", always),
				f("RunCtx RunFn", Retry, "opts ctx fn(ctx)", always),
			),
			in("github.com/matryer/try", f("Do", Retry, "fn", again(OnTrue))),

			// A policy need not be one that tries again.
			in(failsafe, f("With WithAny", RetryOption, "opts")),
			in(failsafe+"/retrypolicy", f("NewBuilder NewWithDefaults", RetryOption, "")),
			on(failsafe+"/retrypolicy.Builder", f("Build", RetryOption, "opts")),
			on(failsafe+".FailurePolicyBuilder", f("HandleIf", RetryOption, "opts pred"), f("HandleErrors", RetryOption, "opts errs")),
			on(failsafe+".Executor",
				f("WithContext", RetryOption, "opts ctx"),
				f("Run RunWithExecution Get GetWithExecution", Retry, "opts fn", always),
				f("RunAsync RunAsyncWithExecution GetAsync GetAsyncWithExecution", Retry, "opts fn", always, async),
			),

			in(k8s,
				f("Poll PollImmediate", Retry, "interval timeout fn", again(OnFalse)),
				f("PollInfinite PollImmediateInfinite", Retry, "interval fn", again(OnFalse)),
				f("PollUntil PollImmediateUntil", Retry, "interval fn stop", again(OnFalse)),
				f("PollWithContext PollImmediateWithContext", Retry, "ctx interval timeout fn(ctx)", again(OnFalse)),
				f("PollUntilWithContext PollInfiniteWithContext PollImmediateUntilWithContext PollImmediateInfiniteWithContext", Retry, "ctx interval fn(ctx)", again(OnFalse)),
				f("PollUntilContextTimeout", Retry, "ctx interval timeout immediate fn(ctx)", again(OnFalse)),
				f("PollUntilContextCancel", Retry, "ctx interval immediate fn(ctx)", again(OnFalse)),
				f("ExponentialBackoff", Retry, "delays fn", again(OnFalse)),
				f("ExponentialBackoffWithContext", Retry, "ctx delays fn(ctx)", again(OnFalse)),
				f("JitterUntil", Retry, "fn period factor sliding stop", again(OnReturn)),
				f("JitterUntilWithContext", Retry, "ctx fn(ctx) period factor sliding", again(OnReturn)),
			),
			in("github.com/cockroachdb/cockroach-go/v2/crdb",
				f("ExecuteInTx", Retry, "ctx h fn", retries("40001")), // the transaction is open, and committed after
				f("Execute", Retry, "fn", retries("40001")),
				f("ExecuteCtx", Retry, "ctx fn args", retries("40001")),
			),
			in(onErr,
				f("OnError", Retry, "delays pred fn", always),
				f("RetryOnConflict", Retry, "delays fn", again(OnMarked)), // conflicts of Kubernetes only
			),
		),
	}
	for _, v := range []string{"/v4", "/v5"} {
		lib.Funcs = append(lib.Funcs, in(avast+v,
			f("RetryIf", RetryOption, "pred"),
			f("Unrecoverable", Permanent, "from"),
		)...)
	}
	return lib
}

// backoffFuncs are the functions of the versions of backoff before 5.
func backoffFuncs() []Func {
	return join(
		f("Retry", Retry, "fn opts", again(OnError)),
		f("RetryNotify", Retry, "fn opts notify", again(OnError)),
		f("Permanent", Permanent, "from"),
	)
}
