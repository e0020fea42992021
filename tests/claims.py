"""Claims: what README, SECURITY and the pages for hosts and authors promise, and the tests that prove it.

A claim is some words of a page as they stand there; claims_of_play.py and claims_of_dice.py have the pages
for players. `test_claims.py` holds all of them against the pages and the tests. Read a test before you name
it here: a page may say no more than the test shows.
"""
# ruff: noqa: E501  # The id of a test stays on one line, so that it can be found and run.

from tests.claims_of_dice import DICE
from tests.claims_of_hosting import BACKUP, HOSTING, OPERATIONS, POSTGRES_STORE, SCALE
from tests.claims_of_play import PLAY, Proofs
from tests.claims_of_server import BROWSER, CHECKING, SERVER

README: Proofs = {
    "the game's rules accept or refuse each one": (
        "tests/injections/test_corpus.py::test_whatever_an_obedient_model_does_nothing_is_broken_or_betrayed",
        "tests/kernel/test_refusals.py::test_the_player_has_no_more_authority_than_the_model",
    ),
    "Every finished turn is saved, and can be replayed, undone and checked": (
        "tests/stores/folder/test_folder_syncs.py::test_inputs_and_turns_are_on_the_disk_when_they_are_acknowledged",
        "tests/plays/test_verified_plays.py::test_it_is_proven",
        "tests/cli/campaign/test_undo_fork_commands_undo.py::test_undo_goes_back_and_keeps_the_turns",
    ),
    "Any assistant that supports MCP (the Model Context Protocol) can be the game master, and it cannot cheat": (
        "tests/injections/test_hostile_master.py::test_no_rule_is_broken_and_nothing_is_received",
        "tests/play/sessions/test_relayed_answers.py::test_a_master_cannot_answer_for_the_player",
    ),
    "your saves are safe: newer versions open older saves": (
        "tests/kept_campaigns/test_kept_campaigns.py::test_it_opens_where_it_was_left_and_goes_on",
    ),
    "This works without an API key and without a network": (
        "tests/test_wheel.py::test_readme_leads_to_a_game_in_one_command",
        "tests/cli/test_play_command_models.py::test_nothing_of_a_model_is_loaded_without_one",
    ),
    "Your progress is saved after every turn": (
        "tests/cli/test_play_command.py::test_the_pipe_ends_and_the_story_goes_on_later",
    ),
    "The server accepts connections from this machine only, so you cannot open it from your phone": (
        "tests/bootstrap/serving/test_server_launcher.py::test_only_this_machine_can_connect",
    ),
    "Health cannot go above its maximum, a door opens only with its key, and an item that nobody has cannot be given away": (
        "tests/kernel/judging/test_state_updates.py::test_out_of_range_is_brought_in_and_said",
        "tests/kernel/story/test_scene_rules.py::test_choices_are_offered_while_their_condition_holds",
        "tests/kernel/test_refusals.py::test_refused",
    ),
    "A change that breaks a rule is refused, and the model is told why": (
        "tests/kernel/test_refusals.py::test_refused",
        "tests/turn/steps/test_tool_loop.py::test_updates_that_are_refused_are_answered_with_the_reason",
    ),
    "Your words are on disk before anything else happens": (
        "tests/stores/folder/test_folder_syncs.py::test_inputs_and_turns_are_on_the_disk_when_they_are_acknowledged",
        "tests/turn/test_pipeline.py::test_the_crash_points_of_a_turn_in_order",
    ),
    "Kill the program at any moment: no saved input or turn is lost, and no turn is half done": (
        "tests/crashes/test_crashes.py::test_a_struck_world_is_recovered",
        "tests/stores/folder/test_folder_book_processes.py::test_process_killed_in_the_middle",
        "tests/faces/tui/test_killed.py::test_kill_in_mid_turn_loses_nothing",
    ),
    "Undo, retry and branching never overwrite an old turn": (
        "tests/cli/campaign/test_undo_fork_commands_undo.py::test_undo_retry_and_branches_overwrite_no_byte_of_the_record",
    ),
    "The dice are honest": (
        "tests/kernel/test_chance.py::test_faces_are_spread_evenly",
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "Every roll is computed from a random secret that is fixed before the first roll": (
        "tests/kernel/test_chance.py::test_draw_is_the_hmac_of_version_and_index",
        "tests/turn/test_new_campaign.py::test_the_first_commit",
    ),
    "`talewright verify` replays every turn and compares the result with the record": (
        "tests/plays/test_verified_plays.py::test_it_is_proven",
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "Hidden things stay hidden": (
        "tests/play/test_nothing_private.py::test_no_canary_reaches_the_player_of_a_long_campaign",
    ),
    "Variables that the author marks as secret are kept out of prompts": (
        "tests/turn/test_secrets.py::test_no_ask_of_a_tool_loop_holds_a_secret",
        "tests/turn/test_secrets.py::test_no_ask_of_the_other_dialects_holds_a_secret",
    ),
    "Background notes can be kept out until a condition that the author sets is true": (
        "tests/prompt/lore/test_lore_selection_firing.py::test_what_is_withheld_is_not_told_whatever_calls_for_it",
    ),
    "A reply that quotes hidden text is stopped": (
        "tests/leaks/test_leak_corpus.py::test_nothing_hidden_passes_in_any_field",
    ),
    "`talewright check` reports each one with its file, line and column": (
        "tests/pack/test_faults.py::test_a_folder_with_one_mistake_has_the_expected_fault",
        "tests/pack/test_faults.py::test_every_code_has_a_case",
    ),
    "| dice | provable |": (
        "tests/play/verify/test_dice_page.py::test_the_program_accepts_an_honest_campaign",
    ),
}

SECURITY: Proofs = {
    "gets parentheses for its brackets before a model reads it, also in disguise": (
        "tests/prompt/test_past_turns_part_forged_marks.py::test_markers_of_chat_templates_are_said_in_parentheses",
        "tests/prompt/test_past_turns_part_forged_marks.py::test_our_own_marks_are_seen_through_their_disguise",
        "tests/injections/test_chat_markers.py::test_the_players_words_stay_words_in_every_prompt_and_are_kept_as_they_were",
    ),
    "So do markers in names, pages, past turns, replies, results, arguments of calls (even with JSON escapes), and the texts of a game": (
        "tests/injections/test_chat_markers.py::test_so_do_the_names_and_texts_in_the_state",
        "tests/injections/test_chat_markers.py::test_so_do_answers_that_a_model_was_made_to_give",
        "tests/injections/test_chat_markers.py::test_so_do_the_arguments_of_calls_also_with_escapes",
        "tests/injections/test_chat_markers.py::test_so_do_the_texts_of_a_game_that_a_stranger_may_have_written",
    ),
    "Markers reach no assistant over MCP either, in whatever it reads": (
        "tests/faces/mcp/test_template_markers.py::test_no_assistant_reads_a_marker",
    ),
    "A game folder or save from a stranger reads or writes files outside itself, runs code, or hangs the program": (
        "tests/stores/folder/test_odd_files.py::test_nothing_odd_is_waited_for_or_followed",
        "tests/stores/folder/pages/test_git_history_trust.py::test_nothing_of_a_trapped_repository_runs",
        "tests/games/test_odd_game_folders.py::test_a_game_folder_is_refused_or_read_at_once",
        "tests/prompt/lore/test_regex_matcher.py::test_patterns_of_the_slow_shape_are_refused_or_fast",
    ),
    "an owner stores or sends more than": (
        "tests/bootstrap/hosting/test_host_quotas.py::test_of_fifty_campaigns_at_once_one_fits",
        "tests/bootstrap/hosting/test_host_quotas.py::test_owners_do_not_use_up_each_others_requests",
        "tests/bootstrap/hosting/test_host_quotas.py::test_rates_hold_for_all_nodes",
        "tests/stores/postgres/test_postgres_quotas.py::test_whoever_is_full_stores_nothing_more",
    ),
    "A request, save or scenario makes a server or a host open a folder that is not among its listed games": (
        "tests/bootstrap/serving/test_listed_games.py::test_the_api_starts_only_listed_games",
        "tests/bootstrap/serving/test_listed_games.py::test_a_save_names_a_listed_game",
        "tests/bootstrap/serving/test_listed_games.py::test_what_a_saved_game_calls_itself_is_not_looked_up_as_a_path",
        "tests/bootstrap/hosting/test_host_games.py::test_a_save_on_a_host_names_a_listed_game",
    ),
    "On a host, an owner reads anything of another owner, or has a game of their own narrated by the operator's models": (
        "tests/bootstrap/hosting/test_host_routes.py::test_a_campaign_of_another_owner_is_a_missing_one",
        "tests/bootstrap/hosting/test_host_games.py::test_a_campaign_of_a_strangers_game_is_refused",
    ),
    "Over HTTP and MCP, in saves and in scenarios, a game is named by the id of a listed game, never by a path": (
        "tests/bootstrap/serving/test_listed_games.py::test_the_api_starts_only_listed_games",
        "tests/bootstrap/serving/test_listed_games.py::test_the_form_of_the_browser_starts_only_listed_games",
        "tests/bootstrap/serving/test_listed_games.py::test_a_save_names_a_listed_game",
        "tests/bootstrap/serving/test_listed_games.py::test_mcp_serves_only_campaigns_of_listed_games",
        "tests/bootstrap/serving/test_listed_games.py::test_a_scenario_takes_no_id_of_a_listed_game",
    ),
    "A host takes a campaign only if every game in its history is installed there, byte for byte, or allowed by the operator": (
        "tests/bootstrap/hosting/test_host_games.py::test_every_game_of_a_past_must_be_installed",
        "tests/bootstrap/hosting/test_host_games.py::test_the_operator_allows_further_games",
    ),
    "a game whose stored form says something else is refused": (
        "tests/pack/cache/test_compiled_game.py::test_a_condition_that_does_not_mean_what_it_says_is_refused",
        "tests/bootstrap/games/test_game_library.py::test_a_game_that_a_stranger_changed_is_refused",
    ),
    "It changes nothing, and its input is kept": (
        "tests/turn/test_turn_work.py::test_an_attack_is_stopped_and_leaves_everything_as_it_was",
        "tests/turn/test_turn_work.py::test_no_kind_of_hostile_game_takes_more_than_its_limit",
    ),
    "Judging it again stops after 40,000,000 steps": (
        "tests/turn/test_turn_work.py::test_no_record_makes_its_replay_endless",
        "tests/play/verify/test_turn_proof.py::test_a_turn_that_takes_too_long_is_not_proven_and_the_next_ones_get_less_time",
    ),
    "An imported game has at most 1,500,000 keys and values, like a game folder": (
        "tests/bootstrap/games/test_game_library.py::test_an_imported_game_is_no_larger_than_a_folder_may_be",
    ),
    "A large one is opened in a thread": (
        "tests/bootstrap/games/test_stored_games.py::test_a_large_game_is_restored_outside_of_the_event_loop",
    ),
    "The body of a request has 60 seconds to arrive, and one more for every 64 KiB": (
        "tests/faces/http/guards/test_request_guards.py::test_a_body_that_does_not_arrive_is_given_up",
        "tests/faces/http/guards/test_request_guards.py::test_a_body_gets_time_for_its_size",
    ),
    "An owner sends at most two files at once to a node, and a node receives at most eight": (
        "tests/play/serving/test_owner_quotas.py::test_an_owner_sends_two_files_at_once",
        "tests/faces/http/guards/test_request_guards.py::test_so_many_large_bodies_are_received_at_once",
    ),
    "What exceeds them is stopped, and nobody else waits for it": (
        "tests/bootstrap/jobs/test_job_pool.py::test_the_loop_runs_while_files_are_imported_exported_and_verified",
        "tests/bootstrap/jobs/test_job_pool.py::test_no_game_is_compiled_or_linted_in_the_server",
        "tests/bootstrap/jobs/test_job_pool.py::test_a_job_that_takes_too_long_is_stopped",
        "tests/bootstrap/jobs/test_job_pool.py::test_a_job_that_needs_too_much_memory_is_stopped_and_the_next_one_runs",
        "tests/bootstrap/jobs/test_job_pool.py::test_an_owner_cannot_occupy_the_pool_nor_its_queue",
    ),
    "These processes get neither tokens nor keys of models": (
        "tests/bootstrap/jobs/test_job_pool.py::test_a_job_process_gets_no_token_and_no_key",
        "tests/bootstrap/jobs/test_served_jobs.py::test_a_server_imports_exports_and_verifies_in_other_processes",
    ),
    "On a host, nothing that is kept in memory for one owner reaches another": (
        "tests/bootstrap/hosting/test_owner_caches.py::test_the_shelf_holds_only_the_operators_games",
        "tests/bootstrap/hosting/test_owner_caches.py::test_sessions_are_the_owners_own",
        "tests/bootstrap/hosting/test_owner_caches.py::test_pages_remember_nothing_of_another_owner",
        "tests/bootstrap/hosting/test_owner_caches.py::test_texts_of_one_digest_are_the_same_for_both",
        "tests/bootstrap/hosting/test_worker_limits.py::test_models_are_shared_and_what_owners_spend_is_not",
        "tests/hosting/test_open_campaign_cache.py::test_no_owner_gets_a_game_whose_bytes_another_has_swapped",
    ),
    "A model's reply changes state that the rules do not allow, or shows the player text the game keeps hidden": (
        "tests/injections/test_corpus.py::test_whatever_an_obedient_model_does_nothing_is_broken_or_betrayed",
    ),
    "A web page, or another user of the machine, reads or changes anything through `talewright serve`": (
        "tests/bootstrap/serving/test_hostile_pages.py::test_no_page_changes_or_reads_anything",
        "tests/bootstrap/serving/test_route_matrix.py::test_every_route_for_every_role",
        "tests/bootstrap/serving/test_other_users.py::test_a_program_on_another_port_receives_no_cookie",
        "tests/bootstrap/serving/test_other_users.py::test_no_program_is_called_with_the_link",
    ),
    "that ends the session and clears the copies": (
        "tests/bootstrap/serving/test_ended_logins.py::test_codes_and_sessions_stay_ended_over_a_restart",
        "tests/faces/web/everyone/test_offline_reading.py::test_a_new_token_and_logging_out_clear_everything",
    ),
    "`talewright play --server`, `saves push` and `saves pull` check first": (
        "tests/remote/test_token_proofs.py::test_an_impostor_never_sees_the_token",
    ),
    "only if you choose it": (
        "tests/faces/http/guards/test_login_page.py::test_a_browser_that_may_not_know_the_name_can_stay",
    ),
    "The link works once, within a minute": (
        "tests/faces/http/guards/test_browser_login.py::test_a_code_works_once_in_any_process",
        "tests/faces/http/guards/test_browser_login.py::test_a_code_works_for_a_minute_and_a_session_for_a_month",
    ),
    "An API key or a campaign's dice secret reaches a log, a prompt, an export or another person": (
        "tests/cli/test_canary.py::test_a_key_is_nowhere_after_playing",
        "tests/cli/test_canary.py::test_the_secret_of_the_dice_is_in_its_own_file_alone",
        "tests/stores/folder/test_folder_syncs.py::test_nobody_else_may_look_into_a_campaign",
    ),
    "`talewright verify` accepts a campaign that was tampered with, where the dice page says it would not": (
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "Text on the screen that moves the cursor, fakes other output or otherwise controls the terminal": (
        "tests/cli/test_terminal_text.py::test_nothing_that_moves_the_cursor_is_printed",
        "tests/faces/plain/test_plain_output.py::test_nothing_reaches_the_terminal_that_it_would_obey",
        "tests/faces/tui/story/test_terminal_text.py::test_no_string_steers_the_terminal",
    ),
    "the dice page says which changes `verify` finds, and which only a receipt shows": (
        "tests/play/verify/test_dice_page.py::test_the_page_lists_who_detects_which_forgery",
    ),
    "it withholds the text from the prompt until its condition is true": (
        "tests/leaks/test_leak_corpus.py::test_nothing_hidden_passes_in_any_field",
        "tests/prompt/lore/test_lore_selection_firing.py::test_what_is_withheld_is_not_told_whatever_calls_for_it",
    ),
}

ERROR_CODES: Proofs = {
    "A code never changes its meaning and is never reused": (
        "tests/play/test_error_codes.py::test_no_code_has_changed_its_meaning",
    ),
}

UPGRADES: Proofs = {
    "A newer version opens every older save": (
        "tests/kept_campaigns/test_kept_campaigns.py::test_it_opens_where_it_was_left_and_goes_on",
        "tests/chronicle/test_save_format.py::test_every_kept_format_still_reads",
    ),
    "campaigns of every save format and every engine number, and opens, replays and verifies each of them": (
        "tests/kept_campaigns/test_kept_campaigns.py::test_it_replays_and_verifies",
        "tests/kept_campaigns/test_kept_campaigns.py::test_no_campaign_is_lost_from_a_set",
    ),
    "An older version does not open a newer save, and does not harm it": (
        "tests/stores/folder/log/test_campaign_log.py::test_a_record_of_a_later_version_is_told_and_left_alone",
    ),
    "It says that a newer version is needed and writes nothing": (
        "tests/chronicle/test_save_format.py::test_later_formats_are_refused",
        "tests/turn/steps/test_recalling.py::test_a_campaign_of_a_later_engine_is_not_played_on",
        "tests/stores/folder/log/test_campaign_log.py::test_a_record_of_a_later_version_is_told_and_left_alone",
    ),
    "Upgrading never rewrites the past": (
        "tests/kept_campaigns/test_kept_campaigns.py::test_it_opens_where_it_was_left_and_goes_on",
    ),
    "the bytes on disk stay as they were written": (
        "tests/kept_campaigns/test_kept_campaigns.py::test_it_opens_where_it_was_left_and_goes_on",
    ),
    "moves to it only if the new version fits the campaign's state": (
        "tests/turn/test_game_editions_upgrade.py::test_an_edition_that_does_not_fit_changes_nothing_and_says_why",
        "tests/turn/test_game_editions_upgrade.py::test_what_is_not_taken_up",
    ),
    "The engine number is what makes replays honest": (
        "tests/kept_campaigns/test_kept_campaigns.py::test_the_commands_say_so_too",
        "tests/kept_campaigns/test_kept_turns_again.py::test_kept_turns_are_made_again_as_they_were",
    ),
    "an old turn's result is read from its record, never recomputed": (
        "tests/kept_campaigns/test_kept_campaigns.py::test_it_opens_where_it_was_left_and_goes_on",
    ),
    "It does not contain the dice secret": (
        "tests/play/export/test_whole_save.py::test_everything_but_the_secret_is_in_the_file",
    ),
    "Files are always read and written as UTF-8": (
        "tests/test_claims.py::test_text_files_are_read_and_written_as_utf8",
    ),
    "the test suite, including crashes and full disks": (
        "tests/crashes/test_crashes.py::test_a_struck_world_is_recovered",
        "tests/stores/folder/test_disk.py::test_failure_at_every_call",
    ),
}

STORES: Proofs = {
    "writes a new campaign completely or not at all": (
        "tests/stores/folder/test_folder_syncs.py::test_a_new_campaign_is_on_the_disk_before_it_has_its_name",
        "tests/stores/folder/test_folder_book_processes.py::test_process_killed_in_the_middle",
    ),
    "is durable before it returns": (
        "tests/stores/folder/test_folder_syncs.py::test_inputs_and_turns_are_on_the_disk_when_they_are_acknowledged",
    ),
    "Each operation has at most one commit": (
        "tests/stores/folder/test_folder_store.py::test_suite",
        "tests/stores/folder/test_folder_book_processes.py::test_one_commit_follows_each_head",
    ),
    "adding the same record twice writes it once": ("tests/stores/folder/test_folder_store.py::test_suite",),
    "All stores return the same for the same records": (
        "tests/stores/test_sqlite_store.py::test_every_store_gives_the_same_chain",
    ),
    "The store compares only the revision, never the time": (
        "tests/stores/folder/test_folder_store.py::test_suite",
    ),
    "Damaged data is never returned as good, and never overwritten": (
        "tests/stores/folder/log/test_log_file_damage.py::test_flipped_bits_are_found",
        "tests/stores/folder/log/test_log_file_damage.py::test_damage_while_a_campaign_is_open_stops_its_writes",
        "tests/stores/folder/log/test_log_file_damage.py::test_doubled_missing_and_exchanged_lines_are_damage",
    ),
}

TURNS: Proofs = {
    "if that model costs nothing and keeps the beginning of a prompt": (
        "tests/turn/background/test_sending_ahead.py::test_nothing_is_sent_where_it_might_cost_something_or_be_forgotten",
    ),
    "a cache never changes the count, so a turn that is replayed takes as many steps as before": (
        "tests/turn/test_turn_work.py::test_steps_do_not_depend_on_what_was_judged_before",
        "tests/turn/test_turn_work.py::test_a_replay_judges_with_the_limit_of_the_turn",
    ),
    "The rest of the turn is computed from these results and never stored": (
        "tests/plays/test_recorded_steps.py::test_finished_by_another_process_after_any_step",
    ),
    "another process finishes the turn with the same bytes, and no model is asked twice": (
        "tests/plays/test_recorded_steps.py::test_finished_by_another_process_after_any_step",
        "tests/turn/test_turn_context.py::test_a_kept_reply_gives_the_same_commit_without_a_stream",
    ),
    "If we forget, a test over saved campaigns fails": (
        "tests/kept_campaigns/test_kept_turns_again.py::test_kept_turns_are_made_again_as_they_were",
    ),
    "their campaigns still open, replay and verify": (
        "tests/kept_campaigns/test_kept_campaigns.py::test_it_replays_and_verifies",
        "tests/kept_campaigns/test_kept_campaigns.py::test_the_commands_say_so_too",
    ),
    "apply to it as they do to a model": (
        "tests/injections/test_outside_attacks.py::test_nothing_is_broken_or_betrayed_through_any_field",
        "tests/turn/game_master/test_master_turn_hand_ins.py::test_moderation_and_limits_hold_as_for_a_model",
    ),
    "If one is refused, the answer says what would be accepted": (
        "tests/kernel/test_refusals.py::test_refused",
        "tests/turn/game_master/test_master_turn.py::test_a_turn_from_beginning_to_end",
    ),
    "While the lease lasts, no other turn can start on that branch, and no other game master's turn in the campaign": (
        "tests/turn/game_master/test_seen_draws_branches.py::test_a_campaign_has_one_open_turn",
        "tests/plays/test_processes.py::test_a_lease_that_has_run_out_frees_the_campaign",
        "tests/turn/game_master/test_master_turn.py::test_while_a_turn_is_told_outside_no_other_is_taken",
    ),
}

EMBEDDING: Proofs = {
    "The loop ends when the turn ends, however it ends": (
        "tests/play/test_played_turn.py::test_a_played_turn_ends_however_it_ends",
        "tests/play/sessions/test_lobby_suite.py::test_the_lobby_keeps_its_promises",
        "tests/remote/test_lobby_suite.py::test_the_lobby_keeps_its_promises",
        "tests/hosting/test_node_services.py::test_a_turn_of_a_worker_is_played_like_any_other",
    ),
    "Errors, such as a lost connection, are raised in the loop": (
        "tests/play/test_played_turn.py::test_an_error_is_raised_where_the_events_are_read",
    ),
    "A turn never half happens": (
        "tests/crashes/test_crashes.py::test_a_struck_world_is_recovered",
        "tests/turn/test_pipeline_failures.py::test_a_storyteller_that_fails",
    ),
    "Saves are safe across versions": (
        "tests/kept_campaigns/test_kept_campaigns.py::test_it_opens_where_it_was_left_and_goes_on",
    ),
}

FACES: Proofs = {
    "is made for that role, and the role cannot be changed": (
        "tests/play/test_session_roles.py::test_everything_a_session_gives_out_is_made_for_its_role",
        "tests/play/test_session_roles.py::test_only_a_player_is_given_an_opening_and_each_session_keeps_its_role",
    ),
    "Other roles get only what they were shown: no prompts, no reasoning, no tool arguments": (
        "tests/play/test_session_roles.py::test_everything_a_session_gives_out_is_made_for_its_role",
    ),
}

SYSTEMS: Proofs = {
    "An exception in a system never damages a campaign": (
        "tests/play/sessions/test_session_background.py::test_a_system_that_fails_takes_nothing_from_the_next_turn",
        "tests/turn/test_pipeline_failures.py::test_a_mistake_in_a_system",
    ),
    "the edit is set aside and never read": (
        "tests/stores/folder/pages/test_page_edits.py::test_a_page_made_from_the_record_is_written_anew_and_the_edit_kept",
    ),
}

REFERENCE: Proofs = {
    "What the model must know about the world; players do not read it": (
        "tests/play/test_nothing_private.py::test_no_canary_reaches_the_player_of_a_long_campaign",
    ),
    "If an ending's condition uses a hidden variable, that ending marks no variable as critical": (
        "tests/kernel/story/test_near_endings.py::test_an_ending_that_reads_what_is_hidden_gives_nothing_away",
        "tests/play/presentation/test_critical_values.py::test_what_is_hidden_marks_nothing",
    ),
    "A pattern that would make the engine follow too many possible matches at once": (
        "tests/prompt/lore/test_regex_matcher.py::test_a_pattern_that_would_hold_up_a_turn_is_refused_with_the_reason",
    ),
    "A model that quotes one is stopped and asked again": (
        "tests/turn/test_hidden_texts.py::test_what_is_told_in_confidence_is_covered",
        "tests/turn/steps/test_repairing.py::test_an_answer_that_shows_what_is_for_the_storyteller_alone_is_asked_for_whole",
    ),
    "This covers everything a player will read": (
        "tests/leaks/test_leak_corpus.py::test_nothing_hidden_passes_in_any_field",
        "tests/leaks/test_leak_corpus.py::test_nothing_hidden_passes_in_a_summary",
        "tests/turn/test_hidden_texts_readable.py::test_a_card_shows_all_its_words",
        "tests/turn/background/test_asides_summaries.py::test_an_answer_that_would_let_a_player_read_something_hidden_is_none",
    ),
    "Only letters and digits count": (
        "tests/common/test_letter_folding.py::test_a_sign_is_folded",
        "tests/common/test_letter_folding_rendered.py::test_markup_is_not_read",
    ),
    "digits and symbols are read as letters": (
        "tests/leaks/test_leak_corpus.py::test_nothing_hidden_passes_in_any_field",
        "tests/common/test_letter_folding_rendered.py::test_a_masked_text_is_unmasked",
    ),
    "The last eight turns count together": (
        "tests/leaks/test_told_over_turns.py::test_a_text_is_not_narrated_piece_by_piece",
        "tests/leaks/test_told_over_turns.py::test_a_run_that_the_next_turn_continues_is_one_run",
        "tests/leaks/test_told_over_turns.py::test_pieces_count_for_as_many_turns_as_the_page_says",
    ),
    "This does not apply to the instructions to the model, nor to a hidden value that changed": (
        "tests/turn/test_hidden_texts.py::test_instructions_are_not_counted_over_turns",
        "tests/turn/test_hidden_texts.py::test_a_value_that_has_just_changed_is_not_counted_over_turns",
    ),
    "have 20 letters in a row in common, that is a quotation": (
        "tests/common/test_quote_search.py::test_twenty_letters_or_eight_of_chinese_are_a_quotation",
    ),
    "Half of a sentence is a quotation too": (
        "tests/common/test_quote_search.py::test_half_of_a_sentence_in_pieces_is_a_quotation_in_any_order",
    ),
    "Words that are also in public text do not count": (
        "tests/common/test_quote_search.py::test_letters_that_are_known_do_not_count",
        "tests/turn/test_hidden_texts.py::test_what_the_author_says_openly_elsewhere_is_known",
    ),
    "`world.md` and summaries do not make anything public": (
        "tests/turn/test_hidden_texts.py::test_what_the_world_says_too_is_still_hidden",
        "tests/turn/test_hidden_texts.py::test_what_systems_remember_is_covered_and_a_summary_makes_nothing_known",
    ),
    "text that may become a quotation of 20 letters in a row is held back, so that no such quotation is shown even for a moment": (
        "tests/contract/text/test_leak_guard.py::test_only_what_may_become_a_leak_is_held_back",
        "tests/contract/text/test_leak_guard.py::test_leak_is_cut_where_it_begins",
    ),
    "less than half of it can be seen before the reply is withdrawn": (
        "tests/contract/text/test_leak_guard.py::test_the_piece_that_makes_up_half_is_not_shown",
    ),
    "`reveal_when` does that: a model cannot reveal what it has never read": (
        "tests/prompt/lore/test_lore_selection_firing.py::test_what_is_withheld_is_not_told_whatever_calls_for_it",
    ),
    "`talewright check` warns about hidden text that is in every prompt": (
        "tests/pack/lint/test_library_lint.py::test_withheld_lore_in_every_prompt_is_told_where_it_is_repeated",
        "tests/pack/lint/test_variable_lint.py::test_a_long_text_that_players_must_not_read_and_the_storyteller_always_does_is_told_at_its_id",
    ),
}

CLAIMS: dict[str, Proofs] = {
    "README.md": README,
    "SECURITY.md": SECURITY,
    "docs/play/dice.md": DICE,
    **PLAY,
    "docs/play/server.md": SERVER,
    "docs/play/browser.md": BROWSER,
    "docs/run/error_codes.md": ERROR_CODES,
    "docs/run/saves_and_upgrades.md": UPGRADES,
    "docs/plug/stores.md": {**STORES, **POSTGRES_STORE},
    "docs/run/backup.md": BACKUP,
    "docs/run/hosting.md": HOSTING,
    "docs/run/operations.md": OPERATIONS,
    "docs/run/scale.md": SCALE,
    "docs/plug/turns.md": TURNS,
    "docs/plug/embedding.md": EMBEDDING,
    "docs/plug/faces.md": FACES,
    "docs/plug/systems.md": SYSTEMS,
    "docs/author/checking.md": CHECKING,
    "docs/author/reference.md": REFERENCE,
    "docs/author/tutorial.md": {
        "It is not shown to players": (
            "tests/play/test_nothing_private.py::test_no_canary_reaches_the_player_of_a_long_campaign",
        ),
    },
}
"""By page, the words that promise something, and the tests that prove it."""
