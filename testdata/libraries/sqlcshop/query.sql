-- name: LockEvent :one
SELECT * FROM events WHERE id = $1 FOR UPDATE;

-- name: GetEvent :one
SELECT * FROM events WHERE id = $1;

-- name: CountEvents :one
SELECT count(*) FROM events;

-- name: SetSeats :exec
UPDATE events SET seats = @seats WHERE id = @id;

-- name: AddSeats :exec
UPDATE events SET seats = seats + @n WHERE id = @id;

-- name: ReserveSeats :execrows
UPDATE events SET seats = seats - @n WHERE id = @id AND seats >= @n;

-- name: SetTitle :exec
UPDATE events SET title = @title WHERE id = @id;

-- name: RaiseVersion :exec
UPDATE events SET version = version + 1 WHERE id = $1;

-- name: SaveTitle :exec
UPDATE events SET title = @title, version = version + 1 WHERE id = @id AND version = @version;

-- name: SaveTitleChecked :execrows
UPDATE events SET title = @title, version = version + 1 WHERE id = @id AND version = @version;

-- name: RetitleEvent :one
UPDATE events SET title = @title, version = version + 1 WHERE id = @id AND version = @version RETURNING *;

-- name: InsertEvent :exec
INSERT INTO events (title, seats) VALUES ($1, $2);

-- name: InsertEventOnce :exec
INSERT INTO events (title, seats) VALUES ($1, $2) ON CONFLICT (title) DO NOTHING;

-- name: InsertJob :exec
INSERT INTO jobs (kind) VALUES ($1);

-- name: NextJob :one
SELECT id, kind FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE;

-- name: NextFreeJob :one
SELECT id, kind FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;

-- name: TakeJob :exec
UPDATE jobs SET state = 'taken' WHERE id = $1;

-- name: DeleteJobs :exec
DELETE FROM jobs WHERE state = $1;

-- name: LockSweep :exec
SELECT pg_advisory_lock(@key::bigint);

-- name: LockSweepInTx :exec
SELECT pg_advisory_xact_lock(@key::bigint);

-- name: UnlockSweep :one
SELECT pg_advisory_unlock(@key::bigint);

-- name: LimitTime :exec
SELECT set_config('statement_timeout', @value::text, false);

-- name: LimitTimeInTx :exec
SELECT set_config('statement_timeout', @value::text, true);

-- name: LockJobs :exec
LOCK TABLE jobs IN EXCLUSIVE MODE;
