-- +goose Up
CREATE TABLE seats (
    flight text NOT NULL,
    number int NOT NULL,
    passenger text
);
-- +goose StatementBegin
CREATE FUNCTION taken(f text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT count(*) FROM seats WHERE flight = f);
END;
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION taken;
DROP TABLE seats;
