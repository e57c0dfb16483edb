CREATE TABLE items (
    id bigint PRIMARY KEY,
    n bigint NOT NULL,
    state text NOT NULL,
    note text
);

CREATE TABLE tags (
    id bigserial PRIMARY KEY,
    item_id bigint NOT NULL REFERENCES items,
    name text NOT NULL
);
