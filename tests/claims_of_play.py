"""Claims of the pages for players, `docs/play/`, and the tests that prove them; see claims.py.

Those about the dice are in claims_of_dice.py.
"""
# ruff: noqa: E501  # The id of a test stays on one line, so that it can be found and run.

Proofs = dict[str, tuple[str, ...]]
"""Some words of a page as they stand there, and the tests that prove them."""

LOOKING_BACK: Proofs = {
    "`--viewer player` shows only what the player saw": (
        "tests/play/history/test_turn_record.py::test_player_sees_what_was_shown",
    ),
    "`fork` starts a branch at an earlier turn; nothing is deleted": (
        "tests/cli/campaign/test_undo_fork_commands_undo.py::test_undo_retry_and_branches_overwrite_no_byte_of_the_record",
    ),
    "Every input must have a recorded outcome, and must have led to at most one turn": (
        "tests/play/verify/test_campaign_verification.py::test_i2_i3_i5_i12_come_from_the_records",
        "tests/play/verify/test_campaign_verification.py::test_i2_turn_that_was_not_made_of_its_input",
    ),
    "No turn may be missing, and the hash chain must be intact": (
        "tests/cli/test_noticed.py::test_lost_turns_never_verify_as_whole",
        "tests/cli/campaign/test_damaged_campaigns.py::test_no_command_takes_damage_for_success",
    ),
    "Every state must follow from the recorded changes and fit the game": (
        "tests/play/verify/test_campaign_verification.py::test_i4_state_that_the_changes_do_not_give",
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "Failed turns must have changed nothing, every roll must be recorded, and you must still be able to return to every turn": (
        "tests/play/verify/test_campaign_verification.py::test_i8_version_moved_by_a_failed_try",
        "tests/play/verify/test_campaign_verification.py::test_i9_roll_without_a_draw_and_draw_that_was_not_drawn",
        "tests/play/verify/test_campaign_verification.py::test_i2_i3_i5_i12_come_from_the_records",
    ),
    "The exit code is 0 if all turns are proven, 3 if some are only folded, and 1 if anything is wrong": (
        "tests/kept_campaigns/test_kept_campaigns.py::test_the_commands_say_so_too",
        "tests/play/verify/test_forgeries.py::test_what_was_believed_once_is_refused_by_the_command",
    ),
    "`inspect` rebuilds them from the record, byte for byte": (
        "tests/turn/records/test_prompt_rebuild.py::test_rounds_repairs_and_errands",
        "tests/turn/records/test_prompt_rebuild.py::test_long_campaigns_with_cuts_by_model_and_engine",
    ),
    "parts without a weight are never cut": (
        "tests/prompt/test_token_budget_sections.py::test_what_has_no_step_is_never_cut",
    ),
    "The output never contains an API key or the dice secret": (
        "tests/cli/test_canary.py::test_a_key_is_shown_by_no_command",
        "tests/cli/test_canary.py::test_the_secret_of_the_dice_is_in_its_own_file_alone",
    ),
    "It never contains anything the player may not see": (
        "tests/play/export/test_campaign_story_stories.py::test_nothing_hidden_is_in_any_format",
        "tests/play/test_nothing_private.py::test_no_canary_reaches_the_player_of_a_long_campaign",
    ),
    "every value is checked against the game": (
        "tests/play/export/test_save_game.py::test_state_that_does_not_fit_is_named_by_its_path",
    ),
    "no; a hash protects the file": (
        "tests/play/export/test_whole_save.py::test_what_is_no_whole_save_is_refused",
    ),
    "Neither contains API keys or the dice secret": (
        "tests/cli/test_canary.py::test_a_key_is_shown_by_no_command",
        "tests/cli/test_canary.py::test_the_secret_of_the_dice_is_in_its_own_file_alone",
    ),
    "An imported campaign gets a new secret": (
        "tests/play/export/test_whole_save.py::test_new_dice_begin_under_a_new_commitment",
    ),
    "`verify` relies on the recorded draws and says so": (
        "tests/kept_campaigns/test_whole_saves.py::test_verify_says_which_dice_it_could_not_derive",
    ),
    "A whole save from someone else is safe to import": (
        "tests/kept_campaigns/test_whole_saves.py::test_an_altered_file_is_refused_or_does_no_harm",
        "tests/play/export/test_imported_past_checks.py::test_names_that_no_campaign_has",
        "tests/play/export/test_imported_past_checks.py::test_a_game_brings_no_limits_of_its_own",
    ),
    "files over 256 MB are refused": (
        "tests/play/export/test_whole_save.py::test_sizes_are_bounded",
        "tests/play/export/test_local_files.py::test_no_more_is_read_than_a_save_game_may_have",
    ),
    "Talewright checks every record, state and name in it before it writes anything": (
        "tests/play/export/test_imported_past_checks.py::test_a_state_must_fit_its_game",
        "tests/play/export/test_imported_past_checks.py::test_names_that_no_campaign_has",
        "tests/play/export/test_imported_past_checks.py::test_turns_that_no_engine_has_written",
    ),
    "A save that contradicts itself is refused": (
        "tests/play/export/test_imported_past_checks.py::test_a_change_must_lead_to_what_fits",
        "tests/play/export/test_whole_save.py::test_what_is_no_whole_save_is_refused",
    ),
    "The record is append-only; even undo and retry overwrite nothing": (
        "tests/cli/campaign/test_undo_fork_commands_undo.py::test_undo_retry_and_branches_overwrite_no_byte_of_the_record",
    ),
    "Talewright sets that line aside and opens the campaign": (
        "tests/stores/folder/log/test_log_file_damage.py::test_truncation_at_every_byte_of_the_last_record",
        "tests/stores/folder/test_folder_syncs.py::test_a_torn_record_is_kept_before_it_is_cut_off",
    ),
    "Talewright tells you when you open the campaign, and so do `talewright saves` and `talewright doctor`": (
        "tests/cli/test_noticed.py::test_a_player_is_told_once_in_their_language",
        "tests/cli/test_noticed.py::test_a_list_says_what_is_gone",
        "tests/cli/test_noticed.py::test_the_doctor_says_it_too",
    ),
    "you can still read the campaign up to the last good turn, but not continue it": (
        "tests/play/sessions/test_store_lobby.py::test_a_damaged_campaign_can_be_read_and_not_played",
        "tests/stores/folder/log/test_log_file_damage.py::test_flipped_bits_are_found",
    ),
    "a message says at which byte": (
        "tests/stores/folder/log/test_campaign_log.py::test_a_damaged_commit_is_found_when_it_is_read",
    ),
    "rebuilds the record from the undamaged parts of the file and from the git history, and keeps the damaged file": (
        "tests/stores/folder/test_log_recovery.py::test_a_hole_is_filled_from_git_and_the_rest_taken_from_the_file",
        "tests/stores/folder/test_log_recovery.py::test_random_damage_never_costs_a_frame_that_git_holds",
    ),
}

MODELS: Proofs = {
    "the choices are the author's, because a small model is not asked for any": (
        "tests/turn/test_short_turns.py::test_the_author_offers_the_choices_where_a_scene_has_some",
        "tests/turn/test_short_turns.py::test_a_choice_of_the_author_leaves_nothing_to_change_and_words_do",
    ),
    "Talewright never reads ahead with a model that has a price or whose price is unknown, nor with a server that does not remember the beginning of a prompt": (
        "tests/play/sessions/test_sending_ahead.py::test_no_request_goes_to_a_model_with_a_price",
        "tests/turn/background/test_sending_ahead.py::test_nothing_is_sent_where_it_might_cost_something_or_be_forgotten",
    ),
    "Fallback models never get these requests either": (
        "tests/bootstrap/test_provider_factory_models.py::test_a_local_model_is_sent_to_ahead_without_those_who_stand_in_for_it",
    ),
    "they are deleted afterwards unless you name a folder with `--saves`": (
        "tests/cli/test_exam_command.py::test_several_models_and_games_are_compared",
        "tests/cli/test_exam_command.py::test_a_model_is_examined",
    ),
    "The rules of the game still decide what may change; the model only makes proposals": (
        "tests/injections/test_corpus.py::test_whatever_an_obedient_model_does_nothing_is_broken_or_betrayed",
    ),
    "saves the settings only if it gets an answer": (
        "tests/cli/test_setup_command.py::test_one_that_does_not_answer_is_not_written_down",
    ),
    "`--no-test` skips the test question as well": (
        "tests/cli/test_models_probe_command.py::test_setup_can_leave_it_out",
    ),
    "Paid services such as OpenAI are never probed": (
        "tests/config/test_model_settings_models.py::test_services_with_a_price_are_never_probed",
        "tests/cli/test_models_probe_command.py::test_models_that_are_not_probed",
    ),
    "which is only read, never written": (
        "tests/cli/test_play_command_models.py::test_a_dotenv_is_read_and_never_written",
    ),
    "no other key is ever sent there": (
        "tests/config/test_loaded_settings.py::test_an_address_of_the_environment_gets_its_own_key_and_no_other",
    ),
    "Keys are never written to settings, saves, prompts, `inspect` output or error messages": (
        "tests/cli/test_canary.py::test_a_key_is_nowhere_after_playing",
        "tests/cli/test_canary.py::test_a_key_is_shown_by_no_command",
        "tests/cli/test_setup_command.py::test_a_key_from_the_input_goes_into_the_keyring",
    ),
    "it is removed before the message is shown": (
        "tests/providers/test_key_redaction.py::test_a_key_that_is_repeated_stands_nowhere",
    ),
    "The key of a service is only sent to that service": (
        "tests/config/test_settings_parser.py::test_a_vendors_key_is_not_sent_elsewhere_unless_that_is_said",
    ),
    "It cannot set the token of your server or the folders that Talewright uses": (
        "tests/config/test_environment.py::test_a_dotenv_sets_what_is_listed_and_nothing_else",
        "tests/bootstrap/test_mcp_launcher.py::test_a_dotenv_in_the_folder_does_not_set_the_token",
    ),
    "An address from a `.env` file only gets keys from the same file": (
        "tests/config/test_loaded_settings.py::test_an_address_that_lay_in_the_folder_gets_no_key_of_the_environment",
    ),
    "Talewright asks you once before it uses the address": (
        "tests/cli/test_play_command_models.py::test_a_foreign_address_is_named_and_asked_about_once",
    ),
    "such an address is refused until you add it there": (
        "tests/cli/test_play_command_models.py::test_a_foreign_address_is_named_and_asked_about_once",
        "tests/config/test_loaded_settings.py::test_an_address_that_lay_in_the_folder_is_refused_until_it_is_allowed",
    ),
    "A reply that repeats your key is refused and not recorded": (
        "tests/providers/test_key_redaction.py::test_an_answer_that_tells_the_key_is_none",
        "tests/cli/test_canary.py::test_a_key_is_nowhere_after_playing",
    ),
    "Limits are checked before every request, assuming the worst": (
        "tests/turn/test_spending_tracker.py::test_the_most_an_ask_may_cost",
        "tests/turn/test_spending_tracker.py::test_a_campaign_never_spends_more_than_it_may",
    ),
    "the request is not sent and costs nothing": (
        "tests/cli/campaign/test_cost_command.py::test_a_limit_stops_before_the_money_is_spent",
        "tests/turn/test_spending_tracker.py::test_no_ask_is_made_that_might_cost_too_much",
    ),
    "nothing changes: your words are kept, you see what went wrong, and you can try again": (
        "tests/turn/test_pipeline_failures.py::test_a_storyteller_that_fails",
        "tests/cli/test_play_command_models.py::test_a_server_that_fails_leaves_the_story_where_it_was",
        "tests/play/sessions/test_store_session.py::test_after_a_turn_that_nobody_could_tell_there_are_three_more_choices",
        "tests/provider_faults/test_words.py::test_a_player_is_told_in_their_language_and_can_go_on",
    ),
}

PLAYING: Proofs = {
    "Ctrl+C stops the turn; what you typed is saved, and nothing in the game changes": (
        "tests/play/sessions/test_store_session.py::test_a_turn_that_is_stopped_waits_and_is_gone_on_with",
        "tests/turn/steps/test_model_waits.py::test_what_no_scene_can_tell_is_kept_as_if_it_were_stopped",
    ),
    "a vague word is asked about first, and no turn is spent on it": (
        "tests/play/sessions/test_near_choices.py::test_a_vague_word_spends_no_turn_and_its_number_does",
        "tests/play/sessions/test_store_session.py::test_words_that_fit_nothing_spend_no_turn",
    ),
    "Blows say how many hit points were lost": (
        "tests/systems/tabletop/test_fight_appraisals.py::test_every_blow_is_good_or_bad_for_the_player",
        "tests/systems/tabletop/test_fight_appraisals.py::test_more_damage_than_hit_points_is_said",
    ),
    "go back one turn, or three; nothing is deleted": (
        "tests/cli/campaign/test_undo_fork_commands_undo.py::test_undo_retry_and_branches_overwrite_no_byte_of_the_record",
    ),
    "In that case, Talewright says so, and nothing happens": (
        "tests/faces/plain/test_command_loop.py::test_a_turn_that_would_only_be_told_again_is_not_taken",
    ),
    "leave; everything is saved already": (
        "tests/cli/test_play_command.py::test_the_pipe_ends_and_the_story_goes_on_later",
    ),
    "To play it again, move it back": (
        "tests/stores/folder/test_folder_store_bin.py::test_a_campaign_lies_in_the_bin_with_all_it_had_and_can_be_moved_back",
    ),
    "If the program is killed during a turn, what you typed is already saved": (
        "tests/faces/tui/test_killed.py::test_kill_in_mid_turn_loses_nothing",
    ),
    "the campaign keeps the version it has": (
        "tests/turn/test_game_editions_upgrade.py::test_an_edition_that_does_not_fit_changes_nothing_and_says_why",
    ),
}

SOLO: Proofs = {
    "what the goal is stays hidden": (
        "tests/systems/spiral/test_panels.py::test_clocks_of_those_met_and_nothing_else_of_them",
        "tests/systems/spiral/test_nothing_private.py::test_no_canary_reaches_the_player_of_a_solo_campaign",
    ),
    "Nothing is rolled until you have answered the decision card": (
        "tests/systems/spiral/test_checks.py::test_a_check_that_was_not_confirmed_opens_a_card_and_draws_nothing",
    ),
    "on any other result, no resist is spent": (
        "tests/systems/spiral/test_checks.py::test_resist_is_spent_only_where_a_glitch_would_come",
    ),
    "You do not try it after all, and nothing happens": (
        "tests/systems/spiral/test_checks.py::test_a_withdrawn_check_never_was",
    ),
    "The game rolls the dice, never the storyteller": (
        "tests/systems/spiral/test_checks.py::test_a_confirmed_check_gives_what_the_original_design_says",
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "your text is saved in `hand-edits/` and the page is generated again": (
        "tests/stores/folder/pages/test_page_edits.py::test_a_page_made_from_the_record_is_written_anew_and_the_edit_kept",
    ),
    "Doing the same thing again gives the same dice": (
        "tests/turn/test_pipeline_repeats.py::test_with_fixed_fate_the_dice_stay_the_same",
    ),
    "the game makes it correct its answer before the turn is saved": (
        "tests/systems/spiral/test_narrator_notes.py::test_a_missing_effect_is_a_flaw_that_says_what_to_call",
        "tests/turn/steps/test_repairing.py::test_an_audit_of_a_system_voids_the_narration",
    ),
    "The model cannot be reached, refuses, or answers in a form the game cannot use: the game tells you which of these happened": (
        "tests/provider_faults/test_words.py::test_a_player_is_told_what_to_do_about_each_trouble",
        "tests/play/sessions/test_store_session.py::test_which_trouble_it_was_is_said_and_the_games_own_choices_stay",
    ),
    "otherwise nothing has changed, and your words are kept": (
        "tests/turn/test_pipeline_failures.py::test_a_storyteller_that_fails",
        "tests/play/sessions/test_store_session.py::test_after_a_turn_that_nobody_could_tell_there_are_three_more_choices",
    ),
    "the old rules stay in force": (
        "tests/systems/spiral/test_rulebook_editing.py::test_broken_rules_leave_those_from_before_and_take_the_words",
    ),
}

TERMINAL: Proofs = {
    "A key you type is not shown": ("tests/faces/tui/setup/test_setup_wizard.py::test_key_shows_up_nowhere",),
    "It is stored in your system's keyring, never in a file": (
        "tests/bootstrap/test_model_chooser.py::test_a_model_is_kept_with_its_key",
        "tests/cli/test_canary.py::test_a_key_is_nowhere_after_playing",
    ),
    "Without a keyring, the key is used until you quit": (
        "tests/bootstrap/test_model_chooser.py::test_where_there_is_no_keyring_the_key_is_held_until_the_end",
    ),
    "Nothing is saved until the model has answered": (
        "tests/faces/tui/setup/test_setup_wizard.py::test_failure_says_what_to_do_next",
    ),
    "tells you which folder that is; nothing is deleted": (
        "tests/stores/folder/test_folder_store_bin.py::test_a_campaign_lies_in_the_bin_with_all_it_had_and_can_be_moved_back",
        "tests/faces/tui/lobby/test_lobby_screen.py::test_delete_asks_once_and_says_where_it_lies",
    ),
    "A turn you stop changes nothing": (
        "tests/turn/test_pipeline_breaks.py::test_cancelled_while_the_provider_waits",
        "tests/turn/test_pipeline_breaks.py::test_stopped_by_the_player_the_input_waits_no_longer",
    ),
    "The engine rolls them, never the model": (
        "tests/kernel/test_chance.py::test_draw_is_the_hmac_of_version_and_index",
        "tests/play/verify/test_forgeries.py::test_forgery_is_found",
    ),
    "No turn is ever overwritten": (
        "tests/cli/campaign/test_undo_fork_commands_undo.py::test_undo_retry_and_branches_overwrite_no_byte_of_the_record",
    ),
    "it never quits": ("tests/faces/tui/test_app.py::test_question_mark_is_typed_at_the_line",),
    "but never `^q`, which quits": (
        "tests/faces/tui/widgets/test_key_bar.py::test_way_out_is_in_the_one_line_there_is",
    ),
    "each turn is on disk before the screen shows it as finished": (
        "tests/stores/folder/test_folder_syncs.py::test_inputs_and_turns_are_on_the_disk_when_they_are_acknowledged",
        "tests/turn/test_pipeline.py::test_the_crash_points_of_a_turn_in_order",
    ),
    "Your words are on disk before anything else happens": (
        "tests/stores/folder/test_folder_syncs.py::test_inputs_and_turns_are_on_the_disk_when_they_are_acknowledged",
        "tests/turn/test_pipeline.py::test_the_crash_points_of_a_turn_in_order",
    ),
    "The campaign opens at the last finished turn and asks whether to continue with what you typed": (
        "tests/faces/tui/test_killed.py::test_kill_in_mid_turn_loses_nothing",
        "tests/faces/tui/table/test_table_screen.py::test_unfinished_turn_is_gone_on_with",
        "tests/faces/tui/table/test_table_screen.py::test_unfinished_turn_is_left_alone",
    ),
    "finishes the same attempt, so the dice stay the same": (
        "tests/crashes/test_crashes.py::test_a_struck_world_is_recovered",
        "tests/plays/test_recorded_steps.py::test_finished_by_another_process_after_any_step",
    ),
}

MCP: Proofs = {
    "It cannot make new games there": (
        "tests/faces/mcp/test_all_games.py::test_a_host_offers_listed_games_only",
        "tests/bootstrap/hosting/test_host_mcp.py::test_an_owner_narrates_and_plays_their_own_campaigns",
    ),
    "A `.env` file cannot set it": (
        "tests/bootstrap/test_mcp_launcher.py::test_a_dotenv_in_the_folder_does_not_set_the_token",
    ),
    "There is nothing to set up": (
        "tests/faces/mcp/test_table_app.py::test_clients_with_apps_get_the_table",
    ),
    "The table shows what a player may see, even if the assistant is the game master: the table is never sent anything else": (
        "tests/faces/mcp/test_table_app.py::test_nothing_hidden_reaches_the_app",
    ),
    "It is a single document that loads nothing from anywhere": (
        "tests/faces/mcp/test_table_app.py::test_the_document_is_whole_and_fetches_nothing",
        "tests/faces/mcp/test_app_in_chromium.py::test_a_game_master_hears_what_the_player_picks",
    ),
    "Text from a model or a game is always shown as text, never run as HTML or script": (
        "tests/faces/mcp/test_table_app.py::test_the_document_is_whole_and_fetches_nothing",
    ),
    "It never sees variables that the author marked as `secret`, or the dice secret": (
        "tests/faces/mcp/test_canaries.py::test_a_game_master_sees_what_is_hidden_and_no_secret",
    ),
    "If it makes up a change or a result, Talewright refuses that and says what would be accepted": (
        "tests/injections/test_hostile_master.py::test_no_rule_is_broken_and_nothing_is_received",
    ),
    "Such a change cannot exceed the limits of the rulebook": (
        "tests/turn/game_master/test_own_changes.py::test_nothing_is_raised_above_the_limits",
        "tests/systems/tabletop/test_sheet_limits.py::test_more_is_refused",
    ),
    "Nothing changes until it finishes a turn": (
        "tests/injections/test_hostile_master.py::test_no_rule_is_broken_and_nothing_is_received",
        "tests/faces/mcp/test_hostile_client.py::test_a_client_gets_no_further",
    ),
    "It gets no other dice for the same check by abandoning a turn": (
        "tests/turn/game_master/test_seen_draws.py::test_an_abandoned_check_gets_the_same_dice_again",
        "tests/turn/game_master/test_seen_draws.py::test_another_check_first_neither_takes_the_dice_nor_knows_them",
    ),
    "A campaign has one open turn at a time, whichever branch it is on": (
        "tests/turn/game_master/test_seen_draws_branches.py::test_a_campaign_has_one_open_turn",
    ),
    "Of several `finish_turn` calls for one turn, one finishes it": (
        "tests/faces/mcp/test_transports.py::test_everything_over_stdio",
        "tests/faces/mcp/test_transports.py::test_everything_over_http_with_each_request_to_another_process",
        "tests/turn/game_master/test_master_turn.py::test_of_six_calls_that_finish_at_once_one_does_and_all_name_the_commit",
    ),
    "the answer to `begin_turn` contains the passages that the author wrote for it": (
        "tests/turn/game_master/test_outcomes_first.py::test_authored_passages_come_first",
    ),
    "It locks nobody out": (
        "tests/faces/mcp/test_no_lockouts.py::test_the_next_connection_continues_the_turn",
        "tests/faces/mcp/test_master_kills.py::test_killed_servers_block_no_turn",
    ),
    "Another assistant with other settings may end the turn only if you confirm it": (
        "tests/faces/mcp/test_no_lockouts.py::test_anyone_else_takes_over_once_the_player_confirms",
    ),
    "So may you, at a table of your own: send your words twice": (
        "tests/play/sessions/test_store_master.py::test_a_player_who_insists_ends_an_open_turn",
    ),
    "It cannot decide for you": (
        "tests/faces/mcp/test_decisions.py::test_the_user_of_the_client_is_asked",
        "tests/play/sessions/test_relayed_answers.py::test_nothing_else_answers_for_the_player",
    ),
    "you click your answer at the table, which the assistant cannot do": (
        "tests/faces/mcp/test_decisions.py::test_the_table_answers_with_a_tool_of_its_own",
    ),
    "If your client has neither, the assistant asks you and passes on your answer, and the record says so": (
        "tests/faces/mcp/test_decisions.py::test_without_a_way_to_ask_the_master_passes_the_answer_on",
    ),
    "If a game's author wrote `decisions: player`, the question waits for you": (
        "tests/faces/mcp/test_decisions.py::test_a_game_may_wait_for_the_player",
    ),
    "A narration or a choice that quotes hidden text is refused": (
        "tests/injections/test_hostile_master.py::test_no_rule_is_broken_and_nothing_is_received",
        "tests/turn/game_master/test_master_turn_hand_ins.py::test_pieces_of_what_is_hidden_are_counted_over_all_rounds",
    ),
    "It sees exactly what you see": (
        "tests/faces/mcp/test_canaries.py::test_a_companion_receives_no_hidden_roll_no_hidden_slot_and_no_secret",
    ),
    "refuses requests with a wrong token or from web pages of other sites": (
        "tests/faces/mcp/test_transports.py::test_strangers_are_not_served",
    ),
    "in a file that only you can read": (
        "tests/config/test_access_token.py::test_only_its_owner_may_read_it",
    ),
    "several servers can share one folder of campaigns, any of them can answer a request, and if one is killed, nothing is lost": (
        "tests/faces/mcp/test_transports.py::test_everything_over_http_with_each_request_to_another_process",
        "tests/faces/mcp/test_transports.py::test_killed_servers_lose_nothing",
    ),
}

PLAY: dict[str, Proofs] = {
    "docs/play/looking_back.md": LOOKING_BACK,
    "docs/play/mcp.md": MCP,
    "docs/play/models.md": MODELS,
    "docs/play/playing.md": PLAYING,
    "docs/play/solo.md": SOLO,
    "docs/play/terminal.md": TERMINAL,
}
"""The pages for players but that about the dice."""
