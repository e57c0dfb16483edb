package sessionset

import "strings"

// settings are the configuration parameters of PostgreSQL that a session can
// change and whose change matters to the next borrower of the session. A SET of
// any other plain name may be another database's.
//
// Source: PostgreSQL documentation, Server Configuration.
var settings = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(`
		role session_authorization timezone search_path row_security
		lock_timeout statement_timeout transaction_timeout deadlock_timeout
		idle_in_transaction_session_timeout idle_session_timeout
		default_transaction_isolation default_transaction_read_only default_transaction_deferrable
		transaction_isolation transaction_read_only
		session_replication_role synchronous_commit
		work_mem maintenance_work_mem temp_buffers hash_mem_multiplier logical_decoding_work_mem
		effective_cache_size effective_io_concurrency random_page_cost seq_page_cost
		cpu_tuple_cost cpu_index_tuple_cost cpu_operator_cost cursor_tuple_fraction
		enable_bitmapscan enable_gathermerge enable_hashagg enable_hashjoin enable_incremental_sort
		enable_indexscan enable_indexonlyscan enable_material enable_memoize enable_mergejoin
		enable_nestloop enable_parallel_append enable_parallel_hash enable_partition_pruning
		enable_partitionwise_aggregate enable_partitionwise_join enable_seqscan enable_sort enable_tidscan
		geqo geqo_threshold geqo_effort from_collapse_limit join_collapse_limit constraint_exclusion
		jit jit_above_cost jit_inline_above_cost jit_optimize_above_cost plan_cache_mode
		max_parallel_workers max_parallel_workers_per_gather max_parallel_maintenance_workers
		min_parallel_table_scan_size min_parallel_index_scan_size parallel_leader_participation
		parallel_setup_cost parallel_tuple_cost debug_parallel_query force_parallel_mode
		application_name client_encoding client_min_messages datestyle intervalstyle
		bytea_output extra_float_digits xmlbinary xmloption standard_conforming_strings
		backslash_quote escape_string_warning array_nulls quote_all_identifiers transform_null_equals
		check_function_bodies default_tablespace temp_tablespaces default_table_access_method
		default_toast_compression default_with_oids
		lc_messages lc_monetary lc_numeric lc_time
		log_statement log_min_duration_statement log_min_messages log_min_error_statement log_duration
		log_lock_waits track_activities track_counts track_functions track_io_timing
		password_encryption vacuum_cost_delay vacuum_cost_limit gin_fuzzy_search_limit
		gin_pending_list_limit tcp_keepalives_idle tcp_user_timeout
	`) {
		m[name] = true
	}
	return m
}()

// known reports whether the name is one of PostgreSQL's settings, an
// extension's or the application's own (with a dot), or not known because a
// parameter decides it.
func known(name string) bool {
	return name == "" || settings[name] || strings.Contains(name, ".")
}
