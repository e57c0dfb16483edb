-- +migrate Down
DROP TABLE orders;

-- +migrate Up notransaction
CREATE TABLE orders (id int, code text);
CREATE UNIQUE INDEX ON orders (lower(code));
