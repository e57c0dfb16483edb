=== simple
SELECT id, u.name AS n, u.* FROM users u WHERE u.id = $1
=== star
SELECT * FROM users WHERE email = $1 AND deleted_at IS NULL
=== two_tables
SELECT o.id, total, c.name FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.id = $1 AND status = 'open'
=== schema
SELECT a.id FROM app.accounts AS a WHERE app.accounts.id = $1
=== cte
WITH due AS (SELECT id, run_at FROM jobs WHERE run_at < now()), x(a) AS (SELECT id FROM due)
SELECT d.id, d.run_at, x.a FROM due d JOIN x ON x.a = d.id
=== recursive
WITH RECURSIVE tree AS (SELECT id, parent_id FROM nodes WHERE id = $1 UNION ALL SELECT n.id, n.parent_id FROM nodes n JOIN tree t ON n.parent_id = t.id) SELECT * FROM tree
=== derived_columns
SELECT s.total, s.x FROM (SELECT balance AS total, id + 1 AS x FROM accounts) s WHERE s.total > 0
=== derived_star
SELECT s.balance FROM (SELECT * FROM accounts) s
=== correlated
SELECT id FROM orders o WHERE EXISTS (SELECT 1 FROM items WHERE order_id = o.id AND o.status = 'x')
=== scalar_subquery
SELECT id, (SELECT max(at) FROM events e WHERE e.user_id = u.id) AS last FROM users u
=== whole_row
SELECT row_to_json(u), u FROM users u JOIN groups g USING (group_id)
=== where_forms
SELECT id FROM t WHERE a = $1 AND $2 < b AND c IN ($3, $4) AND d = ANY($5) AND e BETWEEN 1 AND $6 AND f IS NULL AND g IS NOT NULL AND h LIKE 'x%' AND i NOT IN (1, 2) AND j NOT LIKE $7 AND k ILIKE $8 AND l NOT BETWEEN 1 AND 2 AND m <> ALL($9)
=== where_booleans
SELECT id FROM t WHERE active AND NOT deleted AND a IS TRUE AND b IS NOT FALSE AND NOT (c = 1) AND (d = $1 AND e = $2) AND true AND 1 = 1
=== where_casts
SELECT id FROM t WHERE id = $1::uuid AND id::text = CAST($2 AS text) AND created > '2020-01-01'::date AND n = -1 AND b = true::boolean
=== where_columns
SELECT a.id FROM a, b WHERE a.id = b.a_id AND a.n > b.n
=== where_rows
SELECT id FROM t WHERE (a, b) = ($1, $2) AND (c, d) > ($3, $4)
=== where_or
SELECT id FROM t WHERE a = 1 AND (b = 2 OR c = 3)
=== where_function
SELECT id FROM t WHERE lower(email) = $1 AND a = lower($2)
=== where_subquery
SELECT id FROM t WHERE a IN (SELECT a FROM s WHERE x = $1) AND b = (SELECT 1) AND c > ALL (SELECT 2) AND d = ANY (SELECT 3)
=== where_distinct
SELECT id FROM t WHERE a IS DISTINCT FROM $1 AND b IS NOT DISTINCT FROM NULL
=== where_json
SELECT data->>'a' FROM t WHERE data @> $1 AND data ? 'k' AND tags && $2 AND data->>'x' = 'y'
=== names
SELECT a, count(*), now(), current_date, CASE WHEN a THEN 1 END, CASE a WHEN 1 THEN 2 ELSE b END, coalesce(a, 1), a::text, 1::int, ARRAY[1], ROW(1, 2), EXISTS (SELECT 1), (SELECT q FROM s), nullif(a, 1), greatest(1, 2), 'x', d.e, f[1], CAST('1' AS bigint), extract(epoch FROM a), a IS NULL FROM t d
=== group
SELECT status, count(*) FROM jobs GROUP BY status HAVING count(*) > 1 ORDER BY 2 DESC, status LIMIT 5
=== distinct
SELECT DISTINCT ON (user_id) user_id, at FROM events ORDER BY user_id, at DESC
=== aggregate_only
SELECT coalesce(sum(amount), 0) FROM payments WHERE account_id = $1
=== window
SELECT id, row_number() OVER (PARTITION BY a ORDER BY b) FROM t
=== filter
SELECT count(*) FILTER (WHERE done) FROM t
=== union
SELECT a FROM x UNION ALL SELECT b FROM y ORDER BY a
=== values
VALUES (1, $1), (2, $2)
=== table
TABLE users
=== no_from
SELECT $1::int + 1, now() AS t
=== function_from
SELECT g, x.v FROM generate_series(1, 10) g, unnest($1::int[]) AS x(v)
=== lateral
SELECT u.id, l.at FROM users u LEFT JOIN LATERAL (SELECT at FROM events e WHERE e.user_id = u.id ORDER BY at DESC LIMIT 1) l ON true
=== order_alias
SELECT created_at AS c, id FROM t ORDER BY c, t.id, lower(name)
=== fetch_first
SELECT id FROM t ORDER BY id OFFSET 5 FETCH FIRST 10 ROWS ONLY
=== quoted
SELECT "User"."Id" FROM "User" WHERE "User"."E-mail" = $1
=== tablesample
SELECT id FROM t TABLESAMPLE system (10) WHERE a = 1
=== natural
SELECT a FROM x NATURAL JOIN y
=== join_alias
SELECT j.a FROM (x JOIN y ON x.id = y.id) AS j
=== excluded_name
SELECT excluded.a FROM t
=== string_forms
SELECT E'a\'b', $$it's$$, $q$x$$y$q$, U&'\0041', B'101', X'1F', 'it''s', 'a'
'b' FROM t
=== comments
-- name: GetUser :one
/* outer /* inner */ still */ SELECT id -- trailing ' quote
FROM users /* ? :x @y $9 */ WHERE id = $1;
=== json_constructor
SELECT json_build_object('a', a, 'b', (SELECT b FROM s)) FROM t
=== xml
SELECT xmlelement(name x, a) FROM t
=== collate
SELECT name COLLATE "C" FROM t WHERE name COLLATE "C" = $1
=== nested_functions
SELECT pg_catalog.lower(my.fn(a)) FROM t
