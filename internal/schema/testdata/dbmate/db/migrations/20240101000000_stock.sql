-- migrate:up
CREATE TABLE stock (sku text PRIMARY KEY, n int NOT NULL);

-- migrate:down
DROP TABLE stock;
