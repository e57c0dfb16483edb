=== update
UPDATE accounts SET balance = balance - $1, updated_at = now(), note = DEFAULT, x = NULL WHERE id = $2 AND version = $3
=== update_alias
UPDATE accounts AS a SET balance = a.balance + $1 WHERE a.id = $2 RETURNING a.balance, id AS i
=== update_from
UPDATE items i SET price = p.price * 2 FROM prices p WHERE p.item_id = i.id AND i.id = $1
=== update_multi
UPDATE t SET (a, b) = ($1, b + 1), c = 'x' WHERE id = 1
=== update_multi_select
UPDATE t SET (a, b) = (SELECT x, y FROM s WHERE s.id = t.id)
=== update_case
UPDATE t SET n = CASE WHEN n > $1 THEN n - $1 ELSE 0 END, m = greatest(m, $2)
=== update_array
UPDATE t SET tags[1] = $1, obj.field = $2
=== update_only
UPDATE ONLY app.t SET a = $1::int
=== update_texts
UPDATE t SET a = (b + 1) * 2, c = f(d, (e)), g = 'x' || 'y' || $1 WHERE h = (i + 1)
=== update_current_of
UPDATE t SET a = 1 WHERE CURRENT OF c
=== delete
DELETE FROM t WHERE id = $1
=== delete_using
DELETE FROM t USING s WHERE s.id = t.s_id AND s.gone RETURNING *
=== insert
INSERT INTO users (email, name, age) VALUES ($1, 'x', 3)
=== insert_rows
INSERT INTO users (email, name) VALUES ($1, $2), ($3, DEFAULT)
=== insert_no_columns
INSERT INTO users VALUES ($1, $2)
=== insert_default
INSERT INTO users DEFAULT VALUES RETURNING id
=== insert_select
INSERT INTO archive (id, body, at) SELECT id, body, now() FROM jobs WHERE id = $1
=== insert_select_star
INSERT INTO archive SELECT * FROM jobs
=== insert_where_not_exists
INSERT INTO t (a) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM t WHERE a = $1)
=== upsert_nothing
INSERT INTO t (a) VALUES ($1) ON CONFLICT DO NOTHING
=== upsert_update
INSERT INTO counters AS c (k, n) VALUES ($1, $2) ON CONFLICT (k) DO UPDATE SET n = c.n + excluded.n, at = now() WHERE c.n < $3 RETURNING n
=== upsert_constraint
INSERT INTO t (a) VALUES (1) ON CONFLICT ON CONSTRAINT t_a_key DO UPDATE SET b = EXCLUDED.b
=== upsert_expression
INSERT INTO t (email) VALUES ($1) ON CONFLICT (lower(email), tenant) WHERE active DO NOTHING
=== insert_cte
WITH n AS (SELECT $1::text AS email) INSERT INTO users (email) SELECT email FROM n
=== writing_ctes
WITH d AS (DELETE FROM queue WHERE id = $1 RETURNING id, body), i AS (INSERT INTO log (body) SELECT body FROM d) SELECT id FROM d
=== merge
MERGE INTO stock s USING moves m ON m.item = s.item WHEN MATCHED AND s.n = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET n = s.n + m.n WHEN NOT MATCHED THEN INSERT (item, n) VALUES (m.item, m.n)
=== truncate
TRUNCATE a, app.b CASCADE
=== copy_from
COPY users (id, name) FROM STDIN WITH (FORMAT csv)
=== copy_to
COPY users TO STDOUT
=== copy_query
COPY (SELECT id FROM users WHERE a = 1) TO STDOUT
=== create
CREATE TABLE IF NOT EXISTS app.t (id bigint PRIMARY KEY)
=== create_temp
CREATE TEMP TABLE x (id int) ON COMMIT DROP
=== create_temporary
CREATE LOCAL TEMPORARY TABLE x (id int)
=== create_unlogged
CREATE UNLOGGED TABLE x (id int)
=== create_as
CREATE TABLE x AS SELECT id FROM t
=== create_temp_as
CREATE TEMP TABLE x ON COMMIT DROP AS SELECT id FROM t
=== select_into
SELECT id INTO TEMP x FROM t WHERE a = 1
=== create_index
CREATE UNIQUE INDEX CONCURRENTLY i ON t (a)
=== create_view
CREATE TEMP VIEW v AS SELECT id FROM t
=== create_matview
CREATE MATERIALIZED VIEW m AS SELECT id FROM t
=== alter
ALTER TABLE t ADD COLUMN a int
=== alter_system
ALTER SYSTEM SET work_mem = '64MB'
=== drop
DROP TABLE IF EXISTS t
=== create_function
CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 2 END; END; SELECT 3
=== create_function_body
CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN UPDATE t SET a = 1; RETURN NEW; END $$ LANGUAGE plpgsql; SELECT 1
=== create_rule
CREATE RULE r AS ON INSERT TO t DO ALSO (SELECT 1; SELECT 2); SELECT 3
=== create_policy
CREATE POLICY p ON t FOR UPDATE USING (true)
=== do
DO $$ BEGIN PERFORM pg_advisory_lock(1); END $$
=== call
CALL app.proc($1, (SELECT a FROM t))
=== grant
GRANT SELECT ON t TO x
=== vacuum
VACUUM ANALYZE t
=== patch
UPDATE t SET a = coalesce($1, a), b = coalesce($2::text, t.b), c = coalesce($3, a), d = coalesce($4, d, 0) WHERE id = $5
