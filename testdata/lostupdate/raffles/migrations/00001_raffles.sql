-- +goose Up
CREATE TABLE raffles (
	id   bigint PRIMARY KEY,
	open boolean NOT NULL DEFAULT true
);

CREATE TABLE entrants (
	raffle_id bigint NOT NULL REFERENCES raffles (id),
	email     text   NOT NULL
);

CREATE UNIQUE INDEX entrants_once ON entrants (raffle_id, email);

CREATE TABLE winners (
	id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	raffle_id bigint NOT NULL REFERENCES raffles (id),
	email     text   NOT NULL
);

CREATE INDEX winners_of_raffle ON winners (raffle_id);

-- +goose Down
DROP TABLE winners;
DROP TABLE entrants;
DROP TABLE raffles;
