-- name: LockItem :one
SELECT * FROM items WHERE id = $1 FOR UPDATE;

-- name: LockItems :many
SELECT * FROM items WHERE state = $1 ORDER BY id FOR UPDATE;

-- name: GetItem :one
SELECT * FROM items WHERE id = $1;

-- name: GetN :one
SELECT n FROM items WHERE id = $1;

-- name: ItemsByIDs :many
SELECT * FROM items WHERE id = ANY(sqlc.arg(ids)::bigint[]);

-- name: GetTagAndItem :one
SELECT sqlc.embed(tags), sqlc.embed(items) FROM tags JOIN items ON items.id = tags.item_id WHERE tags.id = $1;

-- name: SetN :exec
UPDATE items SET n = $2 WHERE id = $1;

-- name: PatchItem :exec
UPDATE items SET n = coalesce(sqlc.narg(n), n), note = coalesce(sqlc.narg(note), note) WHERE id = sqlc.arg(id);

-- name: SetNReturning :one
UPDATE items SET n = $2 WHERE id = $1 RETURNING *;

-- name: AddN :exec
UPDATE items SET n = n + $2 WHERE id = $1;

-- name: Finish :exec
UPDATE items SET state = 'done' WHERE id = $1 AND state = 'new';

-- name: FinishRows :execrows
UPDATE items SET state = 'done' WHERE id = $1 AND state = 'new';

-- name: FinishResult :execresult
UPDATE items SET state = 'done' WHERE id = $1 AND state = 'new';

-- name: CountTags :one
SELECT count(*) FROM tags WHERE item_id = $1;

-- name: HasTag :one
SELECT EXISTS (SELECT 1 FROM tags WHERE name = $1);

-- name: GetTag :one
SELECT * FROM tags WHERE name = $1;

-- name: AddTag :one
INSERT INTO tags (item_id, name) VALUES ($1, $2) RETURNING id;

-- name: AddItem :exec
INSERT INTO items (id, n, state) VALUES ($1, $2, 'new');

-- name: NoTimeout :exec
SET statement_timeout = 0;

-- name: SetTenant :exec
SELECT set_config('app.tenant', sqlc.arg(tenant)::text, false);
