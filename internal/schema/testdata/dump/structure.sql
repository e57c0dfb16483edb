--
-- PostgreSQL database dump
--

\restrict abc

SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);

CREATE FUNCTION app.stamp() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN NEW.at = now(); RETURN NEW; END; $$;

CREATE TABLE app.notes (
    id bigint NOT NULL,
    author bigint,
    at timestamp without time zone
);

CREATE TABLE app.authors (
    id bigint NOT NULL,
    name text
);

COPY app.authors (id, name) FROM stdin;
1	O'Hara; DROP TABLE app.authors;
\.

ALTER TABLE ONLY app.authors
    ADD CONSTRAINT authors_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX authors_name ON app.authors USING btree (lower(name)) WHERE (name IS NOT NULL);
ALTER TABLE ONLY app.notes
    ADD CONSTRAINT notes_author_fkey FOREIGN KEY (author) REFERENCES app.authors(id);

\unrestrict abc
