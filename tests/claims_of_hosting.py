"""Claims about hosting, and the tests that prove them."""

from tests.claims_of_play import Proofs

_BOOKS = "tests/stores/postgres/test_postgres_books.py"
_DATABASES = "tests/stores/postgres/test_postgres_databases.py"
_TRANSFER = "tests/bootstrap/hosting/test_host_transfer.py"
_GAMES = "tests/bootstrap/hosting/test_host_games.py"
_CACHES = "tests/bootstrap/hosting/test_owner_caches.py"
_QUOTAS = "tests/bootstrap/hosting/test_host_quotas.py"
_STORED = "tests/stores/postgres/test_postgres_quotas.py"
_CRASHES = "tests/hosting/test_crashes.py"
_DATA = "tests/cli/hosting/test_admin_data.py"
_COMMANDS = "tests/bootstrap/hosting/test_host_commands.py"
_KEYS = "tests/stores/postgres/test_sealing_keys.py"

POSTGRES_STORE: Proofs = {
    "If the connection is lost during a write": (f"{_BOOKS}::test_a_lost_answer_is_looked_up",),
    "no connection is ever returned half-read": (
        f"{_BOOKS}::test_cancelled_callers_leave_nothing_half_done",
    ),
}

_FILES = "tests/deploy/test_deploy_files.py"
_IMAGE = "tests/deploy/test_image.py"

_JOBS = "tests/bootstrap/jobs/test_job_pool.py"
_SERVED_JOBS = "tests/bootstrap/jobs/test_served_jobs.py"

_ENGINES = "tests/hosting/test_engine_numbers.py"

HOSTING: Proofs = {
    "They cannot change tables, change or delete a record, or delete a campaign or an owner": (
        f"{_DATA}::test_a_role_may_do_what_nodes_do_and_nothing_else",
        f"{_COMMANDS}::test_a_game_is_played_on_a_host",
    ),
    "A process that does not have a key cannot read what another one encrypts with it": (
        f"{_KEYS}::test_a_key_is_changed_in_two_steps_while_processes_run",
        f"{_DATABASES}::test_keys_are_rotated",
    ),
    "If a process still encrypts with the old key, or a value cannot be decrypted, `reseal` says so and": (
        f"{_DATA}::test_a_key_that_a_process_still_uses_is_not_retired",
        f"{_DATA}::test_a_key_is_retired",
    ),
    "every worker takes the next turn that its engine can run": (
        f"{_ENGINES}::test_workers_of_both_engines_take_orders",
        f"{_ENGINES}::test_a_newer_worker_that_died_does_not_stop_the_older_ones",
    ),
    "these turns are refused with `newer_format`; their input is kept": (
        f"{_ENGINES}::test_only_a_later_engine_continues_what_it_has_played",
    ),
    "Once you update again, the refused turns can be played": (
        f"{_ENGINES}::test_only_a_later_engine_continues_what_it_has_played",
    ),
    "A new worker refuses to start while such a worker is running, and changes nothing": (
        "tests/hosting/test_upgrade.py::test_a_host_is_upgraded_from_an_older_engine",
    ),
    "So nobody waits behind the requests of another owner": (
        "tests/faces/http/owners/test_owner_lines.py::"
        "test_a_flood_of_one_owner_is_not_ahead_of_another_owners_request",
    ),
    "for example because it waits for the end of a turn, makes room for the next": (
        "tests/faces/http/owners/test_owner_lines.py::"
        "test_a_request_that_waits_makes_room_and_lines_are_forgotten",
    ),
    "A job that needs more time or memory is stopped, and its request fails with `job_stopped`": (
        f"{_JOBS}::test_a_job_that_takes_too_long_is_stopped",
        f"{_JOBS}::test_a_job_that_needs_too_much_memory_is_stopped_and_the_next_one_runs",
        f"{_JOBS}::test_a_job_process_ends_itself_when_its_time_is_used_up",
    ),
    "If a client disconnects, its job ends": (
        f"{_SERVED_JOBS}::test_a_client_that_disconnects_ends_its_job",
        f"{_JOBS}::test_a_cancelled_request_ends_its_job",
    ),
    "no owner can use more than half of them at once": (
        f"{_JOBS}::test_an_owner_cannot_occupy_the_pool_nor_its_queue",
        f"{_JOBS}::test_limits_are_read_from_the_environment",
    ),
    "All others are refused with the status 503": (
        f"{_JOBS}::test_an_owner_cannot_occupy_the_pool_nor_its_queue",
        f"{_JOBS}::test_a_job_waits_only_so_long_for_a_process",
        f"{_JOBS}::test_a_busy_server_says_when_to_come_back",
    ),
    "These processes reach the databases as the node does": (
        f"{_SERVED_JOBS}::test_jobs_on_a_host_see_only_the_campaigns_of_their_owner",
    ),
    "They get neither tokens nor API keys": (f"{_JOBS}::test_a_job_process_gets_no_token_and_no_key",),
    "a test also builds the image and plays a turn on a node and a worker from it": (
        f"{_IMAGE}::test_a_turn_is_played_on_a_host_from_the_image",
    ),
    "looks up the digest of every image and writes it into `deploy/.env`": (
        "tests/deploy/test_pinned_images.py::test_every_image_of_the_compose_file_is_pinned",
        f"{_FILES}::test_images_can_be_pinned_by_digest",
    ),
    "pip installs only files whose hashes are in `requirements/hosted.txt`": (
        f"{_FILES}::test_whatever_the_image_downloads_has_a_known_hash",
    ),
    "is a bill of materials": (f"{_IMAGE}::test_the_bill_of_materials_lists_what_is_installed",),
    "run as user 10001, without capabilities, on a read-only file system": (
        f"{_IMAGE}::test_a_turn_is_played_on_a_host_from_the_image",
        f"{_FILES}::test_processes_have_no_more_rights_than_they_need",
    ),
    "Only workers have the model's API key and a way to the internet": (
        f"{_FILES}::test_models_are_the_business_of_workers_alone",
        f"{_FILES}::test_each_service_reaches_only_what_it_needs",
        "tests/bootstrap/hosting/test_host_commands.py::test_only_the_worker_needs_the_key_of_the_model",
    ),
    "Only nodes and workers reach PostgreSQL and Redis, each in its own network and with its own password": (
        f"{_FILES}::test_each_service_reaches_only_what_it_needs",
        "tests/deploy/test_redis_service.py::test_nothing_is_answered_without_the_password",
    ),
    "Rates and streams are counted in Redis for all nodes; without Redis, each node allows its share": (
        f"{_QUOTAS}::test_rates_hold_for_all_nodes",
        f"{_QUOTAS}::test_streams_hold_for_all_nodes",
        f"{_QUOTAS}::test_without_redis_each_node_allows_its_share",
    ),
    "Campaigns and bytes are counted in PostgreSQL, in the transaction that creates a campaign": (
        f"{_STORED}::test_of_fifty_campaigns_on_two_nodes_at_once_one_fits",
        f"{_STORED}::test_every_byte_of_records_and_snapshots_is_counted",
    ),
    "owner who is full cannot start, import or continue a campaign": (
        f"{_STORED}::test_whoever_is_full_stores_nothing_more",
        f"{_STORED}::test_room_is_looked_up_now_and_then",
        f"{_QUOTAS}::test_a_full_owner_plays_no_further_turn",
        "tests/hosting/test_node_services.py::test_a_full_owner_queues_no_turn",
    ),
    "`talewright admin budgets` shows how many campaigns each owner has": (
        "tests/cli/hosting/test_admin_command.py::test_budgets_show_what_is_stored",
    ),
    "further ones get 429 instead of 401": (
        f"{_QUOTAS}::test_bad_logins_and_tokens_are_limited_and_measured",
        f"{_QUOTAS}::test_rates_hold_for_all_nodes",
    ),
    "A valid token always works, whatever else its address has sent": (
        f"{_QUOTAS}::test_bad_logins_and_tokens_are_limited_and_measured",
        "tests/faces/http/guards/test_request_limits.py::test_a_valid_token_works_from_the_same_address",
    ),
    "A node logs one line per address and minute, without the token, and counts refused requests": (
        "tests/faces/http/guards/test_request_limits.py::"
        "test_a_line_for_each_address_and_minute_without_tokens",
        "tests/hosting/operations/test_json_logs.py::test_addresses_of_clients_are_kept",
        f"{_QUOTAS}::test_bad_logins_and_tokens_are_limited_and_measured",
    ),
    "nodes use the address that these add to `X-Forwarded-For`": (
        f"{_QUOTAS}::test_only_trusted_proxies_say_where_a_request_comes_from",
    ),
    "A request or a save that names a folder is refused with `game_unknown`": (
        f"{_GAMES}::test_a_save_on_a_host_names_a_listed_game",
    ),
    "otherwise the host refuses the campaign with `game_not_installed` and shows the digest of the game": (
        f"{_GAMES}::test_a_campaign_of_a_strangers_game_is_refused",
        f"{_GAMES}::test_every_game_of_a_past_must_be_installed",
    ),
    "Owners cannot start an allowed game; they can only continue campaigns of it": (
        f"{_GAMES}::test_the_operator_allows_further_games",
    ),
    "What a node or a worker keeps in memory for one owner is never used for another": (
        f"{_CACHES}::test_the_shelf_holds_only_the_operators_games",
        f"{_CACHES}::test_sessions_are_the_owners_own",
        f"{_CACHES}::test_pages_remember_nothing_of_another_owner",
        "tests/hosting/test_open_campaign_cache.py::test_how_long_models_took_is_not_told_to_other_owners",
    ),
    "it takes only campaigns of its own games": (
        f"{_GAMES}::test_a_campaign_of_a_strangers_game_is_refused",
    ),
    "A process that is older than the schema refuses to start and says so; it changes nothing": (
        f"{_DATABASES}::test_the_schema_goes_forward_and_a_newer_one_is_refused",
    ),
    "Keep it where you keep passwords, and never in the database or its backups": (
        f"{_DATABASES}::test_a_dump_holds_no_canary",
    ),
    "Without the keys, nothing can be read": (
        f"{_DATABASES}::test_a_dump_holds_no_canary",
        "tests/stores/postgres/test_sealing.py::test_sealed_values_open_only_at_their_place",
    ),
    "a new input is refused with `unsaved`, and the player can send it again": (
        "tests/hosting/test_outages.py::test_an_input_that_cannot_be_saved_is_refused_and_leaves_no_trace",
    ),
    "it continues from the last stored step when the database is back": (
        "tests/hosting/test_outages.py::"
        "test_a_turn_is_committed_after_an_outage_without_asking_the_model_again",
        "tests/hosting/test_crashes.py::"
        "test_accepted_inputs_become_turns_after_postgres_was_away_for_longer_than_a_call_waits",
    ),
    "A node waits up to 20 seconds for an unreachable database": (
        f"{_BOOKS}::test_a_killed_server_loses_no_acknowledged_turn",
    ),
    "If the answer to a write was lost, the node looks up whether the write succeeded": (
        f"{_BOOKS}::test_a_lost_answer_is_looked_up",
    ),
    "An acknowledged turn is never lost and never written twice": (
        f"{_BOOKS}::test_a_killed_server_loses_no_acknowledged_turn",
        f"{_CRASHES}::test_another_worker_finishes_the_turn_of_a_killed_one",
    ),
    "the node refuses requests that name any other host, except those from its own machine": (
        "tests/bootstrap/hosting/test_host_commands.py::test_a_game_is_played_on_a_host",
    ),
    "A campaign of another owner looks like one that does not exist": (
        "tests/bootstrap/hosting/test_host_routes.py::test_a_campaign_of_another_owner_is_a_missing_one",
    ),
    "the request can only reach that owner's campaigns": (
        "tests/hosting/test_cancel_storm.py::test_cancelled_requests_mix_nothing_up_and_leave_nothing_open",
    ),
    "The host checks everything that an owner pushes, like an imported file, before it stores anything": (
        "tests/bootstrap/hosting/test_owner_transfer.py::test_what_an_owner_pushes_is_not_trusted",
    ),
    "It is dropped when the owner has sent nothing for 5 minutes": (
        "tests/faces/http/owners/test_owner_services.py::test_services_that_nobody_uses_are_closed",
    ),
    "Owner budgets and the model limits apply across all workers": (
        "tests/bootstrap/hosting/test_worker_limits.py::"
        "test_two_workers_keep_to_a_budget_and_to_the_places_of_a_model",
    ),
    "stops working within 5 seconds": (
        "tests/bootstrap/hosting/test_host_owners.py::test_a_replaced_or_removed_token_loses_access_soon",
    ),
    "or if another campaign has the name, `pull` changes nothing": (
        f"{_TRANSFER}::test_a_pulled_campaign_replaces_its_older_copy_and_nothing_else",
    ),
    "closes the campaign on the host for good": (
        f"{_TRANSFER}::test_an_owner_gets_the_secret_once_the_campaign_is_closed",
    ),
}

BACKUP: Proofs = {
    "Without the keys, the campaigns in a dump cannot be read by anyone, including you": (
        f"{_DATABASES}::test_a_dump_holds_no_canary",
    ),
}

OPERATIONS: Proofs = {
    "nodes and workers can run with a role that cannot change the schema": (
        f"{_DATA}::test_a_role_may_do_what_nodes_do_and_nothing_else",
    ),
    "This holds across all workers, for owners and for single campaigns": (
        "tests/bootstrap/hosting/test_worker_limits.py::"
        "test_two_workers_keep_to_a_budget_and_to_the_places_of_a_model",
        "tests/bootstrap/hosting/test_worker_limits.py::test_two_workers_keep_to_the_budget_of_a_campaign",
    ),
    "Each label has a few fixed values, and never contains an id or a name that someone chose": (
        "tests/hosting/operations/test_host_metrics.py::test_every_label_has_a_few_fixed_values",
    ),
}

SCALE: Proofs = {
    "A test repeats the arithmetic": (
        "tests/deploy/test_scale_page.py::test_loads_follow_from_the_assumptions",
        "tests/deploy/test_scale_page.py::test_machines_follow_from_the_loads",
    ),
    "There are never fewer than two nodes and two workers": (
        "tests/deploy/test_scale_page.py::test_machines_follow_from_the_loads",
    ),
    "63 workers ask 1,512 times per second": (
        "tests/deploy/test_scale_page.py::test_the_constants_are_those_of_the_program",
    ),
}
