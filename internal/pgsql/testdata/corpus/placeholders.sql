=== dollar_auto
SELECT id FROM t WHERE a = $2 AND b = $1 AND data ? 'k' AND c = $2
=== question_auto
SELECT id FROM t WHERE a = ? AND b IN (?, ?) AND data ? 'k' LIMIT ?
=== question question
UPDATE t SET a = ?, b = b + ? WHERE id = ? AND tags ?| array['x'] AND d ?& array['y'] AND e=? AND f>=?::int
=== question_in_literal question
SELECT '?', "?", $$?$$ /* ? */ FROM t WHERE a = ? -- ?
=== question_concat question
SELECT ?||'x', ?-? FROM t WHERE a=?
=== question_table question
SELECT id FROM ? AS x WHERE id = ?
=== bun question
SELECT ?0, ?1, ?0 FROM ?TableName AS ?TableAlias WHERE id = ?id AND x = ?
=== named named
SELECT id FROM t WHERE a = :a AND b = :user.b AND c::text = :a AND d[1:2] = :d AND e = ':no'
=== named_auto
INSERT INTO t (a, b) VALUES (:a, :b::int)
=== at at
SELECT id FROM t WHERE a = @a AND b=@b AND (c = @a) AND d @> '{"a": 1}' AND e <@ f AND g @@ h
=== at_auto
UPDATE t SET n = n + @delta WHERE id = @id
=== at_operator_auto
SELECT id FROM t WHERE a @> b AND c <@ d AND e @@ f AND g @? h
=== assign_named named
SELECT f(a := :x)
=== wrong_style question
SELECT id FROM t WHERE a = $1
=== wrong_style_named question
SELECT id FROM t WHERE a = @name
=== several_statements question
UPDATE t SET a = ?; UPDATE t SET b = ? WHERE c = ?
=== set_question question
SET LOCAL lock_timeout = ?
=== interval question
SELECT now() - INTERVAL ? FROM t WHERE a = ?
=== in_list_of_questions question
DELETE FROM t WHERE id IN (?,?,?)
=== advisory_named named
SELECT pg_advisory_xact_lock(:key)
=== set_config_question question
SELECT set_config('app.x', ?, ?)
=== question_escaped question
SELECT data \? 'a' FROM t WHERE id = ?
=== bun_alias question
SELECT ?TableAlias.id FROM ?TableName AS ?TableAlias WHERE ?TableAlias.a = ?
=== from_of_functions question
SELECT extract(epoch FROM ?), substring(a FROM ?), a IS DISTINCT FROM ? FROM t
=== in_list_question question
SELECT n FROM items WHERE id IN ? AND state NOT IN (?)
=== in_list_at at
UPDATE items SET n = 0 WHERE id NOT IN @ids
