CREATE TABLE accounts (
    id bigserial PRIMARY KEY,
    email text NOT NULL,
    balance numeric NOT NULL DEFAULT 0
);
CREATE TABLE transfers (id bigserial PRIMARY KEY, source bigint REFERENCES accounts);
