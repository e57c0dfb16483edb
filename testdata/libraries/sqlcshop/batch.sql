-- name: AddJobs :copyfrom
INSERT INTO jobs (kind) VALUES ($1);

-- name: ForgetJobs :batchexec
DELETE FROM jobs WHERE id = $1;

-- name: LockEvents :batchone
SELECT * FROM events WHERE id = $1 FOR UPDATE;

-- name: TitlesOf :batchmany
SELECT title FROM events WHERE seats = $1;
