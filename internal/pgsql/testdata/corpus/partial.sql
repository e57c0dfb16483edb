=== nowait_update
UPDATE jobs SET status = 'x' WHERE id = $1 NOWAIT
=== update_for_update
UPDATE jobs SET a = (SELECT FROM WHERE FOR UPDATE SKIP LOCKED
=== bad_select
SELECT FROM FROM jobs WHERE a = FOR NO KEY UPDATE OF jobs, x NOWAIT
=== bad_key_share
SELECT a b c d FROM jobs FOR KEY SHARE SKIP LOCKED
=== mysql_backticks
SELECT `id` FROM `users` WHERE id = ? FOR UPDATE
=== mysql_lock
SELECT id FROM users WHERE id = ? LOCK IN SHARE MODE
=== percent
SELECT %s FROM %s WHERE id = $1 FOR UPDATE
=== template
SELECT id FROM {{.Table}} WHERE id = $1 FOR SHARE
=== unterminated
SELECT 'abc FROM t FOR UPDATE
=== unterminated_comment
SELECT 1 /* abc FOR UPDATE
=== unterminated_dollar
SELECT $$ abc FOR UPDATE
=== bad_set
SET LOCAL lock_timeout = = 5
=== bad_set_session
SET SESSION a.b TO 'x' 'y' z
=== bad_role
SET ROLE a b
=== bad_reset
RESET a b
=== bad_zone
SET TIME ZONE a b c
=== bad_authorization
SET SESSION AUTHORIZATION a b
=== bad_begin
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY FOO
=== bad_set_transaction
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE FOO
=== bad_characteristics
SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE NOT DEFERRABLE FOO
=== bad_savepoint
SAVEPOINT a b
=== bad_rollback_to
ROLLBACK TO SAVEPOINT a b
=== bad_listen
LISTEN a.b
=== bad_advisory
SELECT pg_try_advisory_xact_lock_shared(1), pg_catalog.pg_advisory_unlock(2), app.pg_advisory_lock(1) FROM FROM
=== bad_set_config
SELECT set_config('A.b', $1, true), set_config('c', f(1, 2), $2) FROM FROM
=== bad_create_temp
CREATE TEMP TABLE x (
=== bad_with
WITH x AS (SELECT 1), y AS (DELETE FROM t RETURNING id) UPDATE t SET FROM x FOR UPDATE
=== bad_lock
LOCK TABLE a IN FOO MODE NOWAIT
=== only_one_is_bad
SELECT 1 FROM t; SELECT FROM FROM x; SELECT 2 FROM u FOR UPDATE
=== garbage
this is not SQL
=== empty

=== only_comment
-- nothing here
=== only_semicolons
;;;
