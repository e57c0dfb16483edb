=== update
SELECT * FROM accounts WHERE id = $1 FOR UPDATE
=== no_key_update
SELECT balance FROM accounts WHERE id = $1 FOR NO KEY UPDATE
=== share
SELECT 1 FROM parents WHERE id = $1 FOR SHARE
=== key_share
SELECT 1 FROM parents WHERE id = $1 FOR KEY SHARE NOWAIT
=== skip_locked
SELECT id FROM jobs WHERE status = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
=== lock_before_limit
SELECT id FROM jobs FOR UPDATE SKIP LOCKED LIMIT 1
=== of_alias
SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.id = $1 FOR UPDATE OF o NOWAIT
=== of_two
SELECT 1 FROM orders o, customers c WHERE o.id = $1 FOR UPDATE OF o, c
=== two_clauses
SELECT 1 FROM orders o, customers c WHERE o.id = $1 FOR UPDATE OF o FOR SHARE OF c SKIP LOCKED
=== of_unknown
SELECT 1 FROM orders o FOR UPDATE OF nothere
=== derived
SELECT s.id FROM (SELECT id FROM jobs ORDER BY id LIMIT 5 FOR UPDATE SKIP LOCKED) s
=== cte_select
WITH c AS (SELECT id FROM jobs WHERE status = $1 LIMIT 1 FOR UPDATE SKIP LOCKED) SELECT * FROM c
=== cte_update
WITH c AS (SELECT id FROM jobs WHERE status = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
UPDATE jobs j SET status = 'running' FROM c WHERE j.id = c.id RETURNING j.*
=== update_subselect
UPDATE jobs SET status = 'running' WHERE id = (SELECT id FROM jobs WHERE status = 'new' LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id, payload
=== delete_in
DELETE FROM jobs WHERE id IN (SELECT id FROM jobs ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 10)
=== insert_select
INSERT INTO archive (id) SELECT id FROM jobs WHERE done FOR UPDATE
=== writing_cte
WITH u AS (UPDATE a SET n = n + 1 RETURNING id) SELECT * FROM b WHERE id IN (SELECT id FROM u) FOR UPDATE
=== several_levels
WITH a AS (SELECT 1 FROM t1 FOR SHARE), b AS (SELECT 2 FROM t2 FOR KEY SHARE NOWAIT)
SELECT (SELECT 3 FROM t3 FOR NO KEY UPDATE), x.y FROM (SELECT y FROM t4 FOR SHARE SKIP LOCKED) x WHERE EXISTS (SELECT 5 FROM t5 FOR UPDATE) FOR UPDATE NOWAIT
=== whole_derived
SELECT * FROM (SELECT * FROM t1 JOIN t2 ON true) s FOR UPDATE
=== nullable
SELECT * FROM a LEFT JOIN b ON a.id = b.a_id WHERE a.id = $1 FOR UPDATE
=== nullable_of_ok
SELECT * FROM a LEFT JOIN b ON a.id = b.a_id FOR UPDATE OF a
=== nullable_of_bad
SELECT * FROM a LEFT JOIN b ON a.id = b.a_id FOR UPDATE OF b
=== nullable_right
SELECT * FROM a RIGHT JOIN b ON a.id = b.a_id FOR UPDATE OF a
=== nullable_full
SELECT * FROM a FULL JOIN b ON a.id = b.a_id FOR UPDATE
=== nullable_reduced
SELECT * FROM a LEFT JOIN b ON a.id = b.a_id WHERE b.x = 1 FOR UPDATE
=== nullable_nested
SELECT * FROM a LEFT JOIN (b JOIN c ON b.id = c.id) ON a.id = b.a_id FOR UPDATE OF c
=== rejected_group
SELECT status FROM jobs GROUP BY status FOR UPDATE
=== rejected_distinct
SELECT DISTINCT status FROM jobs FOR UPDATE
=== rejected_aggregate
SELECT count(*) FROM jobs FOR UPDATE
=== rejected_window
SELECT rank() OVER (ORDER BY id) FROM jobs FOR UPDATE
=== rejected_union
SELECT 1 FROM a UNION SELECT 1 FROM b FOR UPDATE
=== rejected_having
SELECT 1 FROM a HAVING true FOR UPDATE
=== rejected_setof
SELECT unnest(tags) FROM a FOR UPDATE
=== rejected_below
SELECT * FROM (SELECT a, sum(n) FROM t GROUP BY a) s FOR UPDATE
=== aggregate_below_is_fine
SELECT (SELECT count(*) FROM b) FROM a FOR UPDATE
=== aggregate_above_is_fine
SELECT count(*) FROM (SELECT id FROM jobs FOR UPDATE) s
=== cursor
DECLARE c CURSOR WITH HOLD FOR SELECT id FROM jobs FOR UPDATE
=== read_only
SELECT 1 FROM t FOR READ ONLY
=== create_as
CREATE TEMP TABLE x ON COMMIT DROP AS SELECT id FROM jobs FOR UPDATE
=== explain
EXPLAIN SELECT 1 FROM t FOR UPDATE
=== explain_analyze
EXPLAIN (ANALYZE, BUFFERS) SELECT 1 FROM t FOR UPDATE
=== explain_analyze_off
EXPLAIN (ANALYZE false) UPDATE t SET a = 1
=== prepare
PREPARE p AS SELECT 1 FROM t FOR UPDATE
=== multibyte
SELECT 'žluťoučký', "kůň" FROM t /* 馬 */ WHERE a = 'ř' FOR UPDATE OF t NOWAIT; SELECT pg_advisory_lock(1) -- é
=== parenthesised
(SELECT id FROM t WHERE a = 1 FOR UPDATE)
=== claim_or
SELECT id FROM jobs WHERE queue = $1 AND (status = 'new' OR status = 'running' AND lease_until < now()) ORDER BY id LIMIT 1 FOR UPDATE
=== claim_unlocked
UPDATE jobs SET status = 'running' WHERE id = (SELECT id FROM jobs WHERE status = 'new' ORDER BY id LIMIT 1) AND coalesce(held, false) = false RETURNING id
=== claim_unlocked_cte
WITH next AS (SELECT id FROM jobs WHERE started_at IS NULL LIMIT 10) UPDATE jobs j SET started_at = now() FROM next WHERE j.id = next.id RETURNING j.id
