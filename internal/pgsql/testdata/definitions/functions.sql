=== sql
CREATE OR REPLACE FUNCTION app.total(a bigint, OUT t numeric, VARIADIC x int[]) RETURNS numeric LANGUAGE SQL STABLE AS $$ SELECT sum(n) FROM app.orders o JOIN parts p USING (id) WHERE f(o.id) $$
=== atomic
CREATE FUNCTION f(a int) RETURNS int IMMUTABLE BEGIN ATOMIC SELECT 1 FROM t; SELECT CASE WHEN true THEN 1 END; END
=== returns
CREATE FUNCTION f(a int) RETURNS int RETURN (SELECT max(b) FROM t)
=== sql_writes
CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'INSERT INTO t VALUES (''a''); DELETE FROM u'
=== sql_defines
CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'CREATE TABLE x (a int); ALTER TABLE y ADD b int'
=== plpgsql
CREATE FUNCTION f() RETURNS trigger VOLATILE AS $body$
DECLARE
    n bigint := (SELECT count(*) FROM counted);
    d timestamptz;
BEGIN
    d := extract(epoch FROM now());
    IF NEW.a IS DISTINCT FROM OLD.a AND substring(NEW.b from 2) <> '' THEN
        PERFORM check_it(NEW.id);
        WITH moved AS (DELETE FROM gone USING other WHERE true RETURNING *), k (a) AS (SELECT 1)
        INSERT INTO kept SELECT * FROM moved JOIN ONLY s.third ON true, k;
    END IF;
    FOR r IN SELECT * FROM generate_series(1, 2) g LOOP
        UPDATE ONLY numbers SET n = r; -- FROM nowhere
    END LOOP;
    RETURN NEW;
END
$body$ LANGUAGE plpgsql
=== plpgsql_pure
CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN a + 1; END $$
=== plpgsql_dynamic
CREATE FUNCTION part(d date) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE %I PARTITION OF events FOR VALUES FROM (%L) TO (%L)', 'e' || d, d, d + 1);
END $$
=== plpgsql_any
CREATE FUNCTION ddl(t text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'DROP INDEX ' || t; EXECUTE t; END $$
=== c
CREATE FUNCTION f() RETURNS int LANGUAGE c AS 'lib', 'sym'
=== procedure
CREATE PROCEDURE p(a int) LANGUAGE plpgsql AS $$ BEGIN COMMIT; END $$
=== change
ALTER FUNCTION f(int) STABLE; ALTER FUNCTION f RENAME TO g; DROP FUNCTION IF EXISTS f(int, text), g; DROP PROCEDURE p; ALTER FUNCTION f(int) OWNER TO x
=== do_type
DO $$ BEGIN CREATE TYPE e AS ENUM ('a'); EXCEPTION WHEN duplicate_object THEN NULL; END $$
=== do_plain
DO $$ BEGIN ALTER TABLE t ADD CONSTRAINT u UNIQUE (a); CREATE INDEX i ON t (b); END $$
=== do_catalog
DO $$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid WHERE conname = 'u') THEN
        ALTER TABLE t ADD CONSTRAINT u UNIQUE (a);
    END IF;
    IF EXISTS (SELECT FROM information_schema.columns WHERE table_name = 't') THEN
        ALTER TABLE t DROP COLUMN b;
    END IF;
END $$
=== do_if
DO $$ BEGIN
    IF (SELECT count(*) FROM t) = 0 THEN
        ALTER TABLE t ADD b int, ADD CONSTRAINT u UNIQUE (b);
        DROP TABLE IF EXISTS old;
        CREATE TABLE new (id int);
        ALTER TABLE x RENAME TO y;
    END IF;
END $$
=== do_else
DO $$ BEGIN IF EXISTS (SELECT FROM pg_class) THEN ALTER TABLE t ADD b int; ELSE ALTER TABLE t ADD c int; END IF; END $$
=== do_loop
DO $$ DECLARE t text; BEGIN FOR t IN SELECT tablename FROM pg_tables LOOP EXECUTE format('ALTER TABLE %I DROP CONSTRAINT x', t); END LOOP; END $$
=== do_names
DO $$ BEGIN EXECUTE 'ALTER TABLE t ADD CONSTRAINT ' || 'x' || ' UNIQUE (a)'; EXECUTE format('CREATE INDEX %I ON s.u (a)', 'i'); EXECUTE 'CREATE UNIQUE INDEX k ON v (a)'; EXECUTE 'UPDATE t SET a = 1'; EXECUTE format('SELECT %L', 1); END $$
=== do_other
DO LANGUAGE plpython3u $$ plpy.execute("drop table t") $$
=== do_string
DO 'BEGIN DROP TABLE t; END' LANGUAGE plpgsql
