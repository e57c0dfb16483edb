=== from
SELECT id FROM {} WHERE id = $1
=== from_ident
SELECT id FROM {ident} t WHERE t.id = $1 FOR UPDATE
=== select_list
SELECT {} FROM t WHERE id = $1
=== select_list_first
SELECT {} id, name FROM t
=== limit
SELECT id FROM t LIMIT {}
=== limit_literal
SELECT id FROM t ORDER BY id LIMIT {literal} FOR UPDATE SKIP LOCKED
=== where
SELECT id FROM t WHERE {}
=== where_and
SELECT id FROM t WHERE {} AND id = $1 FOR UPDATE
=== where_before_term
SELECT id FROM t WHERE {} id = $1
=== after_where
SELECT id FROM t WHERE id = $1{}
=== after_from
SELECT id FROM t{}
=== after_from_spaced
SELECT id FROM t {}
=== between_from_and_order
SELECT id FROM t {} ORDER BY id LIMIT 1
=== after_lock
SELECT id FROM t WHERE id = $1 FOR UPDATE {}
=== lock_strength
SELECT id FROM t WHERE id = $1 FOR {}
=== insert_columns
INSERT INTO t ({}) VALUES ({})
=== insert_list
INSERT INTO t (a, b) VALUES {list} ON CONFLICT DO NOTHING
=== insert_values
INSERT INTO t (a, b) VALUES {}
=== insert_rest
INSERT INTO t {}
=== insert_query
INSERT INTO t (a, b) {}
=== update_set
UPDATE t SET {} WHERE id = $1
=== update_set_more
UPDATE t SET a = $1, {} WHERE id = $2
=== update_column
UPDATE t SET {ident} = $1 WHERE id = $2
=== update_tail
UPDATE t SET a = $1 {}
=== delete_where
DELETE FROM t WHERE {}
=== in_list
SELECT id FROM t WHERE id IN ({list})
=== in_bare
SELECT id FROM t WHERE id IN {}
=== any_param
SELECT id FROM t WHERE id = ANY({})
=== param_number
SELECT id FROM t WHERE a = ${} AND b = ${}
=== set_role
SET ROLE {}
=== set_role_quoted
SET ROLE "{}"
=== set_local
SET LOCAL lock_timeout = {}
=== set_literal
SET lock_timeout = '{}ms'
=== set_search_path
SET search_path TO {ident}, public
=== set_name
SET LOCAL {} = 'x'
=== set_all
SET LOCAL {}
=== listen
LISTEN {}
=== notify_payload
NOTIFY ch, {}
=== savepoint
SAVEPOINT sp_{literal}
=== isolation
BEGIN ISOLATION LEVEL {}
=== set_transaction
SET TRANSACTION {}
=== table_suffix
SELECT id FROM events_{} WHERE id = $1
=== table_prefix
SELECT id FROM {}_events WHERE id = $1
=== schema
SELECT id FROM {}.events e WHERE e.id = $1
=== quoted_table
SELECT id FROM "{}" WHERE "{}" = $1
=== column_in_where
SELECT id FROM t WHERE {ident} = $1 AND b = {literal}
=== order_by
SELECT id FROM t ORDER BY {} LIMIT 1
=== order_direction
SELECT id FROM t ORDER BY id {} LIMIT 1
=== operator
SELECT id FROM t WHERE a {} $1
=== base_query
{} WHERE id = $1 FOR UPDATE
=== leading_select_list
{} FROM t WHERE id = $1
=== leading_comment
{}SELECT id FROM t WHERE id = $1
=== everything
{}
=== cte
WITH x AS ({}) SELECT * FROM x JOIN t ON t.id = x.id
=== derived
SELECT count(*) FROM ({}) s
=== join
SELECT a.id FROM a {} WHERE a.id = $1
=== join_on
SELECT a.id FROM a {} ON a.id = b.id
=== case
UPDATE t SET n = CASE id {} END WHERE id = ANY($1)
=== interval
SELECT id FROM t WHERE at < now() - INTERVAL '{} seconds'
=== interval_bare
SELECT id FROM t WHERE at < now() - INTERVAL {}
=== in_comment
SELECT id /* {} */ FROM t -- {}
WHERE id = $1
=== subselect_tail
UPDATE t SET a = 1 WHERE id = (SELECT id FROM t WHERE b = 2 {})
=== inside_call
SELECT coalesce(a {}, 0) FROM t
=== several
SELECT {} FROM {} WHERE {} ORDER BY {} LIMIT {} OFFSET {}
=== two_at_once
SELECT id FROM t{}{}
=== union
SELECT id FROM a UNION ALL {}
=== returning
UPDATE t SET a = 1 WHERE id = $1 RETURNING {}
=== function
SELECT {ident}($1, $2)
=== second_statement
SELECT 1; {}; SELECT id FROM t FOR UPDATE
=== nothing_helps
SELECT FROM WHERE {} ) (
=== set_list
UPDATE t SET {list} WHERE id = $1
=== ident_condition
SELECT id FROM t WHERE {ident} id = $1
