package dbapi

// queues is the table of queues whose jobs and messages are rows of the
// database: River, https://riverqueue.com/docs, gue,
// https://pkg.go.dev/github.com/vgarvardt/gue/v5, and the SQL publisher of
// Watermill, https://watermill.io/pubsubs/sql. A client runs its statements on
// the pool that it was made with, or on the transaction that it is given.
func queues() *Library {
	const (
		river   = "github.com/riverqueue/river"
		rdriver = river + "/riverdriver"
		client  = "*" + river + ".Client"
		rpgx    = rdriver + "/riverpgxv5"
		rsql    = rdriver + "/riverdatabasesql"
	)
	lib := &Library{
		Name:     "queues",
		Packages: []string{river, rpgx, rsql, "github.com/ThreeDotsLabs/watermill-sql/...", "github.com/vgarvardt/gue/..."},
		Style:    "$",
		Jobs: []string{
			"*" + river + ".Job", "*github.com/vgarvardt/gue/v5.Job", "*github.com/ThreeDotsLabs/watermill/message.Message",
			"*github.com/hibiken/asynq.Task", "*github.com/nsqio/go-nsq.Message",
		},
		Types: map[string]Handle{
			client: Pool, "*" + rpgx + ".Driver": Flow, "*" + rsql + ".Driver": Flow, rdriver + ".Driver": Flow,
		},
		Funcs: join(
			in(rpgx, f("New", Derive, "h")),
			in(rsql, f("New", Derive, "h"), f("NewWithPgxListener", Derive, "h listener")),
			in(river,
				f("NewClient", Derive, "h config"),
				f("JobCompleteTx", Finish, "ctx h job", clause("job"), exec),
			),
			on(client,
				f("Insert", Finish, "h ctx val opts", clause("insert"), exec),
				f("InsertMany InsertManyFast", Finish, "h ctx val", clause("insert"), exec),
				f("InsertTx", Finish, "client ctx h val opts", clause("insert"), exec),
				f("InsertManyTx InsertManyFastTx", Finish, "client ctx h val", clause("insert"), exec),
				f("JobCancel JobDelete JobRetry", Finish, "h ctx key", clause("job"), exec),
				f("JobDeleteMany", Finish, "h ctx params", clause("job"), exec),
				f("JobUpdate", Finish, "h ctx key val", clause("job"), exec),
				f("JobGet QueueGet", Finish, "h ctx key", clause("job")),
				f("JobList QueueList", Finish, "h ctx params", clause("job")),
				f("QueuePause QueueResume QueueUpdate", Finish, "h ctx key opts", clause("job"), exec),
				f("JobCancelTx JobDeleteTx JobRetryTx", Finish, "client ctx h key", clause("job"), exec),
				f("JobDeleteManyTx", Finish, "client ctx h params", clause("job"), exec),
				f("JobUpdateTx", Finish, "client ctx h key val", clause("job"), exec),
				f("JobGetTx QueueGetTx", Finish, "client ctx h key", clause("job")),
				f("JobListTx QueueListTx", Finish, "client ctx h params", clause("job")),
				f("QueuePauseTx QueueResumeTx QueueUpdateTx", Finish, "client ctx h key opts", clause("job"), exec),
			),
			on("github.com/ThreeDotsLabs/watermill/message.Publisher", f("Publish", Finish, "h topic val", clause("publish"), exec)),
		),
	}
	gue(lib)
	watermill(lib, "v3")
	watermill(lib, "v4")
	return lib
}

// watermill adds the rows of a version of Watermill's SQL publisher. Version 4 has
// types of its own around those of database/sql and pgx.
func watermill(lib *Library, version string) {
	pkg := "github.com/ThreeDotsLabs/watermill-sql/" + version + "/pkg/sql"
	v3, v4 := only(version == "v3"), only(version == "v4")
	executor, beginner := pkg+".ContextExecutor", pkg+".Beginner"
	for _, name := range []string{"*" + pkg + ".Publisher", executor, beginner} {
		lib.Types[name] = Flow
	}
	if version == "v4" {
		lib.Types[pkg+".SQLBeginner"], lib.Types[pkg+".Tx"] = Flow, Tx
	}
	lib.Funcs = append(lib.Funcs, join(
		in(pkg,
			f("NewPublisher", Derive, "h config logger"),
			f("TxFromContext", Getter, "ctx", gives(Tx)), // of the subscriber's message
			v4(f("NewDelayedPostgreSQLPublisher", Derive, "h config")),
			v4(f("BeginnerFromStdSQL BeginnerFromPgx TxFromStdSQL TxFromPgx", Derive, "h")),
		),
		on("*"+pkg+".Publisher", f("Publish", Finish, "h topic val", clause("publish"), exec)),
		on(executor,
			f("ExecContext", Run, "h ctx sql args", exec),
			f("QueryContext", Run, "h ctx sql args", rows),
			v3(f("QueryRowContext", Run, "h ctx sql args", row)),
		),
		on(beginner, f("BeginTx", Begin, "h ctx opts")),
		v4(join(
			on(pkg+".SQLBeginner",
				f("BeginTx", Begin, "h ctx opts"),
				f("ExecContext", Run, "h ctx sql args", exec),
				f("QueryContext", Run, "h ctx sql args", rows),
			),
			on(pkg+".Tx", f("Commit", Commit, "h"), f("Rollback", Rollback, "h")),
		)),
	)...)
}

// gue adds the rows of gue, version 5. A locked job holds a transaction until
// its Done; LockJob begins it.
func gue(lib *Library) {
	const (
		pkg     = "github.com/vgarvardt/gue/v5"
		adapter = pkg + "/adapter"
		client  = "*" + pkg + ".Client"
		job     = "*" + pkg + ".Job"
	)
	lib.Types[client] = Pool
	lib.HeldJobs = []string{job}
	lib.Types[adapter+".ConnPool"] = Pool
	lib.Types[adapter+".Conn"] = Session
	lib.Types[adapter+".Tx"] = Tx
	lib.Types[adapter+".Queryable"] = Flow
	lib.NoRows = append(lib.NoRows, adapter+".ErrNoRows")
	for _, driver := range []string{"/libpq", "/pgxv5"} {
		lib.Funcs = append(lib.Funcs, in(adapter+driver, f("NewTx NewConn NewConnPool", Derive, "h"))...)
	}
	lib.Funcs = append(lib.Funcs, join(
		in(pkg, f("NewClient", Derive, "h opts")),
		on(client,
			f("Enqueue", Finish, "h ctx val", clause("insert"), exec),
			f("EnqueueBatch", Finish, "h ctx val", clause("insert"), exec),
			f("EnqueueWithID", Finish, "h ctx val key", clause("insert"), exec),
			f("EnqueueTx", Finish, "client ctx val h", clause("insert"), exec),
			f("EnqueueBatchTx", Finish, "client ctx val h", clause("insert"), exec),
			f("EnqueueTxWithID", Finish, "client ctx val key h", clause("insert"), exec),
			f("LockJob LockNextScheduledJob", Begin, "h ctx queue"),
			f("LockJobByID", Begin, "h ctx key"),
		),
		on(job,
			f("Tx", Derive, "h", gives(Tx)),
			f("Done", Rollback, "h ctx"), // a commit, which is also how a job ends whose statements have failed
			f("Delete", Finish, "h ctx", clause("job"), exec),
			f("Error", Finish, "h ctx err", clause("job"), exec),
		),
		on(adapter+".Queryable",
			f("Exec", Run, "h ctx sql args", exec),
			f("Query", Run, "h ctx sql args", rows),
			f("QueryRow", Run, "h ctx sql args", row),
		),
		on(adapter+".ConnPool", f("Begin", Begin, "h ctx"), f("Acquire", Acquire, "h ctx")),
		on(adapter+".Conn", f("Begin", Begin, "h ctx"), f("Release", Release, "h")),
		on(adapter+".Tx", f("Commit", Commit, "h ctx"), f("Rollback", Rollback, "h ctx")),
		on(adapter+".Row", f("Scan", Scan, "from args")),
		on(adapter+".Rows", f("Scan", Scan, "from args"), f("Next", Next, "from")),
		on(adapter+".CommandTag", f("RowsAffected", Affected, "from")),
	)...)
}
