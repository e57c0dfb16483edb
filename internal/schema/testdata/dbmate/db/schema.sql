SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);

CREATE TABLE public.schema_migrations (
    version character varying(255) NOT NULL
);

CREATE TABLE public.stock (
    sku text NOT NULL,
    n integer NOT NULL
);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.stock
    ADD CONSTRAINT stock_pkey PRIMARY KEY (sku);
