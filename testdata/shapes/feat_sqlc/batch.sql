-- name: LockEach :batchone
SELECT * FROM items WHERE id = $1 FOR UPDATE;

-- name: LockStates :batchmany
SELECT * FROM items WHERE state = $1 FOR UPDATE;

-- name: SetEach :batchexec
UPDATE items SET n = $2 WHERE id = $1;

-- name: AddTags :copyfrom
INSERT INTO tags (item_id, name) VALUES ($1, $2);
