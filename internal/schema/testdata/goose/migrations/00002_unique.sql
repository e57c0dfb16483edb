-- +goose NO TRANSACTION
-- +goose Up
CREATE UNIQUE INDEX CONCURRENTLY seats_once ON seats (flight, number) WHERE passenger IS NOT NULL;
-- +goose Down
DROP INDEX seats_once;
