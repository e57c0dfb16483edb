-- name: Tag :one
SELECT * FROM tags WHERE id = $1;
