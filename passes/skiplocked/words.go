package skiplocked

import (
	"slices"
	"strings"
)

// Names decide where the statements alone do not: a claim and the lock of one
// owner's newest row look alike.
var (
	// queueTables are parts of the names of tables that are queues.
	queueTables = []string{
		"job", "task", "queue", "outbox", "inbox", "message", "event", "deliver", "notification", "mail", "webhook",
		"letter", "work", "request", "schedule", "timer", "command", "batch", "run", "pending", "retry", "retries",
		"reminder", "export", "import", "upload", "sync", "crawl", "scan", "build",
	}
	// claims are parts of the names of functions that claim.
	claims = []string{
		"claim", "dequeue", "lease", "acquire", "poll", "next", "grab", "pick", "pop", "reserve", "take", "consume",
		"dispatch", "assign", "alloc", "relay", "drain", "publish", "worker", "fetchdue", "process", "fetch",
	}
	// plainQueues and plainClaims leave no doubt when they come together.
	plainQueues = []string{"job", "task", "queue", "outbox", "inbox", "message", "event", "deliver", "notification", "mail", "webhook"}
	plainClaims = []string{"claim", "dequeue", "lease", "acquire", "next", "poll", "grab", "pop", "reserve", "take"}
	// queueColumns are parts of the names of columns that say which queue.
	queueColumns = []string{"queue", "topic", "kind", "type", "channel", "category", "class", "pool", "shard", "partition", "priority", "region", "lane", "job", "task", "namespace"}
	// queueKeys begin the names of columns that say which queue by its key.
	queueKeys = []string{"queue", "topic", "channel", "pool", "shard", "partition"}
	// tenantColumns are parts of the names of columns that divide a whole
	// database, queues and all.
	tenantColumns = []string{"tenant", "org", "workspace", "project", "cluster", "environment"}
	// stateColumns are parts of the names of columns that say how far a row is.
	stateColumns = []string{"status", "state", "phase", "stage"}
	// looseColumns are parts of the names of columns that say what happened to a
	// row, or when.
	looseColumns = []string{
		"status", "state", "phase", "stage", "_at", "_on", "_until", "_by", "lock", "lease", "claim", "worker", "attempt", "retr", "tries",
		"processed", "sent", "done", "handled", "deadline", "expir", "heartbeat", "visible", "taken", "finished", "acked",
	}
	// holderColumns are parts of the names of columns that say who has a row.
	holderColumns = []string{"worker", "owner", "holder", "token", "_by", "lease_id", "lock_id", "host", "node", "instance", "consumer"}
	// sweeps are parts of the names of functions that tidy up: what two of them do
	// is done once.
	sweeps = []string{"archive", "purge", "cleanup", "clean", "prune", "expire", "retention", "compact", "vacuum", "sweep", "reap", "refresh", "stale", "recover", "delete", "remove",
		"overdue", "timeout", "cancel", "close", "mark", "deactivate", "disable", "lapse"}
	// onceNames are parts of the names of functions that a person runs, once.
	onceNames = []string{"backfill", "migrat", "rotate", "seed", "repair", "fixup"}
)

func has(name string, words []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
}

func anyHas(names, words []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return has(n, words) })
}

// keyColumn reports whether the column goes by the name of a key.
func keyColumn(name string) bool {
	name = strings.ToLower(name)
	return name == "id" || name == "uuid" || name == "key" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_key") || strings.HasSuffix(name, "_uuid")
}

// queueColumn reports whether the column goes by the name of one that says which
// queue a row is in, and not whose it is.
func queueColumn(name string) bool {
	if keyColumn(name) {
		return slices.ContainsFunc(queueKeys, func(w string) bool { return strings.HasPrefix(strings.ToLower(name), w) })
	}
	return has(name, queueColumns)
}
