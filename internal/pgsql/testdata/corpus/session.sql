=== set
SET lock_timeout = '5s'
=== set_to
SET search_path TO app, public
=== set_session
SET SESSION statement_timeout = 0
=== set_local
SET LOCAL Lock_Timeout TO 500
=== set_default
SET lock_timeout TO DEFAULT
=== set_custom
SET LOCAL app.tenant_id = 'x'
=== set_param
SET LOCAL app.tenant_id = $1
=== set_role
SET ROLE admin
=== set_local_role
SET LOCAL ROLE 'admin'
=== set_role_none
SET ROLE NONE
=== set_authorization
SET SESSION AUTHORIZATION joe
=== set_authorization_default
SET LOCAL SESSION AUTHORIZATION DEFAULT
=== set_time_zone
SET TIME ZONE 'UTC'
=== set_time_zone_local
SET TIME ZONE LOCAL
=== set_time_zone_interval
SET TIME ZONE INTERVAL '-08:00' HOUR TO MINUTE
=== set_names
SET NAMES 'utf8'
=== set_transaction
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ ONLY, DEFERRABLE
=== set_transaction_snapshot
SET TRANSACTION SNAPSHOT '00000003-0000001B-1'
=== set_characteristics
SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ
=== set_constraints
SET CONSTRAINTS ALL DEFERRED
=== reset
RESET lock_timeout
=== reset_all
RESET ALL
=== reset_role
RESET ROLE
=== reset_authorization
RESET SESSION AUTHORIZATION
=== discard
DISCARD ALL
=== set_config_true
SELECT set_config('app.tenant', $1, true)
=== set_config_false
SELECT pg_catalog.set_config('lock_timeout', '1s', false), a FROM t
=== set_config_param
SELECT set_config($1, $2, $3)
=== set_config_cast
SELECT set_config('a.b', $1::text, 't'::bool)
=== set_config_named
SELECT set_config(is_local => false, setting_name => 'a.b', new_value => NULL)
=== set_config_nested
SELECT id FROM t WHERE a = coalesce(set_config('x.y', 'z', b > 1), '')
=== set_config_other_schema
SELECT app.set_config('x.y', 'z', true)
=== show
SHOW lock_timeout
=== begin
BEGIN
=== begin_work
BEGIN WORK
=== begin_modes
BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE
=== begin_transaction
BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE, NOT DEFERRABLE
=== start
START TRANSACTION ISOLATION LEVEL REPEATABLE READ
=== read_uncommitted
START TRANSACTION ISOLATION LEVEL READ UNCOMMITTED
=== commit
COMMIT
=== end
END TRANSACTION
=== commit_chain
COMMIT AND CHAIN
=== prepare_transaction
PREPARE TRANSACTION 'x'
=== commit_prepared
COMMIT PREPARED 'x'
=== rollback
ROLLBACK
=== abort
ABORT
=== rollback_prepared
ROLLBACK PREPARED 'x'
=== savepoint
SAVEPOINT Sp1
=== release
RELEASE SAVEPOINT sp1
=== release_short
RELEASE sp1
=== rollback_to
ROLLBACK TO SAVEPOINT sp1
=== rollback_to_long
ROLLBACK TRANSACTION TO sp1
=== listen
LISTEN "My Channel"
=== unlisten
UNLISTEN *
=== notify
NOTIFY ch, 'payload'
=== pg_notify
SELECT pg_notify('ch', $1)
=== prepare
PREPARE p (int) AS SELECT $1
=== execute
EXECUTE p (1, $1)
=== deallocate
DEALLOCATE p
=== deallocate_all
DEALLOCATE ALL
=== declare
DECLARE c NO SCROLL CURSOR FOR SELECT id FROM t
=== fetch
FETCH 10 FROM c
=== move
MOVE FORWARD 1 IN c
=== close
CLOSE c
=== lock
LOCK TABLE app.a, b IN SHARE ROW EXCLUSIVE MODE NOWAIT
=== lock_default
LOCK a
=== advisory
SELECT pg_advisory_lock($1)
=== advisory_two
SELECT pg_advisory_lock($1, hashtext('x'))
=== advisory_shared
SELECT pg_advisory_lock_shared(42)
=== advisory_xact
SELECT pg_advisory_xact_lock(hashtextextended($1 || ':' || $2, 0))
=== advisory_xact_shared
SELECT PG_CATALOG.pg_advisory_xact_lock_shared(1)
=== advisory_try
SELECT pg_try_advisory_lock(1) AS ok, pg_try_advisory_lock_shared(2)
=== advisory_try_xact
SELECT 1 WHERE pg_try_advisory_xact_lock(1) AND pg_try_advisory_xact_lock_shared(2)
=== advisory_unlock
SELECT pg_advisory_unlock(1), pg_advisory_unlock_shared(2)
=== advisory_unlock_all
SELECT pg_advisory_unlock_all()
=== advisory_from
SELECT * FROM pg_try_advisory_lock(7) AS t(ok)
=== advisory_cte
WITH l AS MATERIALIZED (SELECT pg_advisory_xact_lock(1)) SELECT a FROM t, l
=== advisory_nested
SELECT coalesce(pg_advisory_unlock((SELECT k FROM keys WHERE id = $1)), false)
=== advisory_quoted
SELECT "pg_advisory_lock"(1)
=== advisory_other_schema
SELECT app.pg_advisory_lock(1)
=== script
BEGIN; SET LOCAL lock_timeout = '1s'; SELECT 1 FROM t WHERE a = ';' FOR UPDATE; ;; COMMIT;
