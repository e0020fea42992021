"""Claims of the pages about the server and the browser, and the tests that prove them."""
# ruff: noqa: E501  # The id of a test stays on one line, so that it can be found and run.

from tests.claims_of_play import Proofs

_PAGES = "tests/bootstrap/serving/test_hostile_pages.py::test_no_page_changes_or_reads_anything"
_GUARDS = "tests/faces/http/guards/test_request_guards.py"
_LISTED = "tests/bootstrap/serving/test_listed_games.py"
_OTHERS = "tests/bootstrap/serving/test_other_users.py"
_QUOTAS = "tests/bootstrap/serving/test_quotas.py"
_LIMITS = "tests/faces/http/guards/test_request_limits.py"
_LAUNCHER = "tests/bootstrap/serving/test_server_launcher.py"

SERVER: Proofs = {
    "A path is never an id, so no folder of your machine can be started or exported through the server": (
        f"{_LISTED}::test_the_api_starts_only_listed_games",
        f"{_LISTED}::test_the_form_of_the_browser_starts_only_listed_games",
        f"{_LISTED}::test_a_save_names_a_listed_game",
        f"{_LISTED}::test_mcp_serves_only_campaigns_of_listed_games",
    ),
    "A scenario becomes a new game; it cannot take the id of a listed one": (
        f"{_LISTED}::test_a_scenario_takes_no_id_of_a_listed_game",
    ),
    "A request over the limit gets 429 with the code `rate_limited` or `too_many_streams`": (
        f"{_QUOTAS}::test_an_owner_who_sends_too_much_waits",
        f"{_QUOTAS}::test_imports_are_counted_before_they_are_read",
        f"{_QUOTAS}::test_streams_are_limited_while_they_are_open",
    ),
    "A campaign that does not fit gets 409 `too_many_campaigns` or 507 `storage_full`": (
        f"{_QUOTAS}::test_of_fifty_campaigns_at_once_one_fits",
        f"{_QUOTAS}::test_the_bytes_of_all_campaigns_count",
    ),
    "Requests with narrower tokens and over MCP count, too": (
        f"{_QUOTAS}::test_an_owner_who_sends_too_much_waits",
    ),
    "`talewright mcp --http` has the same limits for requests and bad tokens": (
        f"{_QUOTAS}::test_mcp_over_http_is_limited_too",
    ),
    "Whoever guesses at tokens soon gets 429 instead of 401": (
        f"{_QUOTAS}::test_a_flood_of_bad_tokens_is_stopped_noticed_and_harms_nobody",
    ),
    "The server logs one line per address and minute, without the token": (
        f"{_LIMITS}::test_a_line_for_each_address_and_minute_without_tokens",
        f"{_QUOTAS}::test_a_flood_of_bad_tokens_is_stopped_noticed_and_harms_nobody",
    ),
    "A valid token always works, so one bad program does not lock you out": (
        f"{_LIMITS}::test_a_valid_token_works_from_the_same_address",
        f"{_QUOTAS}::test_a_flood_of_bad_tokens_is_stopped_noticed_and_harms_nobody",
    ),
    "All IPv6 addresses that share their first 64 bits count as one": (
        f"{_LIMITS}::test_addresses_of_one_client_count_together",
    ),
    "The token stays the same when you restart the server": (
        f"{_LAUNCHER}::test_the_token_stays_over_a_restart_and_the_saves_too",
    ),
    "a file that only you can read": ("tests/config/test_access_token.py::test_only_its_owner_may_read_it",),
    "The link works once, even if the server is restarted": (
        "tests/faces/http/guards/test_browser_login.py::test_a_code_works_once_in_any_process",
        "tests/bootstrap/serving/test_ended_logins.py::test_codes_and_sessions_stay_ended_over_a_restart",
    ),
    "a copy of the cookie is of no use to anyone, and open pages get no more events after at most a minute": (
        "tests/bootstrap/serving/test_ended_logins.py::test_codes_and_sessions_stay_ended_over_a_restart",
        "tests/faces/http/guards/test_lasting_requests.py::test_a_stream_ends_when_access_does",
    ),
    "Your browser then stays logged in for 30 days": (
        "tests/faces/http/guards/test_browser_login.py::test_a_code_works_for_a_minute_and_a_session_for_a_month",
    ),
    "You can stop the server at any time": (
        f"{_LAUNCHER}::test_it_ends_with_streams_open_and_says_nothing_of_requests",
    ),
    "Later visits do not extend the 30 days": (
        "tests/faces/http/guards/test_browser_login.py::test_a_code_works_for_a_minute_and_a_session_for_a_month",
    ),
    "Your input is saved before anything else happens": (
        "tests/stores/folder/test_folder_syncs.py::test_inputs_and_turns_are_on_the_disk_when_they_are_acknowledged",
    ),
    "If another program, such as Talewright in a terminal, has the saves folder open, the server says so": (
        f"{_LAUNCHER}::test_the_token_stays_over_a_restart_and_the_saves_too",
        "tests/bootstrap/serving/test_saves_presence.py::test_another_program_is_noticed_until_it_ends",
    ),
    "It is safe to use both at once": (
        "tests/plays/test_processes.py::test_of_two_processes_that_finish_one_does",
        "tests/stores/folder/test_folder_book_processes.py::test_one_commit_follows_each_head",
    ),
    "play, and see what a player sees": (
        "tests/bootstrap/serving/test_http_canaries.py::test_no_canary_in_any_byte_that_a_player_receives",
    ),
    "A request for anything that a token may not see returns 404": (
        "tests/bootstrap/serving/test_route_matrix.py::test_every_route_for_every_role",
    ),
    "Such a token expires after 30 days": (
        "tests/bootstrap/serving/test_narrow_tokens.py::test_a_token_expires",
        "tests/bootstrap/serving/test_narrow_tokens.py::test_no_token_lasts_for_ever",
    ),
    "does not open another campaign that gets the same name later": (
        "tests/bootstrap/serving/test_narrow_tokens.py::test_a_token_ends_with_its_campaign",
        "tests/bootstrap/serving/test_narrow_tokens.py::test_an_imported_copy_is_another_campaign",
        "tests/bootstrap/serving/test_narrow_tokens.py::test_a_campaign_that_another_program_replaced_is_not_opened",
        "tests/bootstrap/hosting/test_host_routes.py::test_a_narrower_token_ends_with_its_campaign",
    ),
    "Replacing the owner token revokes every other token": (
        "tests/faces/http/test_access_grants.py::test_every_process_knows_a_token_and_a_new_owner_token_revokes_it",
    ),
    "This address accepts only `master` and `player` tokens, never the owner token": (
        "tests/bootstrap/serving/test_mcp_mount.py::test_nobody_else_is_served",
    ),
    "at `127.0.0.1` your browser is not logged in": (
        "tests/faces/http/guards/test_login_page.py::test_a_browser_is_led_to_the_name_and_gets_its_cookie_there",
    ),
    "The name stays the same until you make a new token": (
        "tests/faces/http/guards/test_login_page.py::test_a_server_has_a_name_that_nobody_can_guess",
    ),
    "so that no other user can take one of them": (
        f"{_OTHERS}::test_nobody_else_listens_on_the_other_loopback_address",
    ),
    "So the login link is not passed to your browser as an argument": (
        f"{_OTHERS}::test_no_program_is_called_with_the_link",
        f"{_OTHERS}::test_the_file_is_private_and_loads_nothing",
        f"{_OTHERS}::test_the_file_logs_a_browser_in",
    ),
    "So your browser is logged in under a name that nobody else knows": (
        f"{_OTHERS}::test_a_program_on_another_port_receives_no_cookie",
    ),
    "the server tells it only to a browser that brings a valid login link": (
        "tests/faces/http/guards/test_login_page.py::test_the_name_is_told_to_nobody_without_a_code",
        f"{_OTHERS}::test_a_program_on_another_port_receives_no_cookie",
    ),
    "Other browsers, such as Safari, are shown two links": (
        "tests/faces/http/guards/test_login_page.py::test_a_browser_that_may_not_know_the_name_can_stay",
    ),
    "It listens on this machine only": (f"{_LAUNCHER}::test_only_this_machine_can_connect",),
    "A web page that gives your machine another name (DNS rebinding) gets nothing": (
        _PAGES,
        f"{_GUARDS}::test_other_names_are_not",
    ),
    "Requests from web pages of any other origin are refused, including pages on other ports of your machine": (
        _PAGES,
        f"{_GUARDS}::test_pages_of_other_origins_are_refused",
    ),
    "must also have an `Origin` header with exactly the server's address": (
        f"{_GUARDS}::test_writes_by_cookie_need_our_own_origin",
    ),
    "Scripts cannot read the cookie, and browsers do not send it with requests from other sites": (
        "tests/faces/http/guards/test_browser_login.py::test_the_cookie_is_hidden_from_scripts_and_other_sites",
    ),
    "no WebSockets, other sites cannot show the pages in a frame, and nothing is loaded from elsewhere": (
        f"{_GUARDS}::test_websockets_are_refused",
        f"{_GUARDS}::test_names_of_this_machine_are_answered",
        "tests/faces/http/guards/test_login_page.py::test_a_stranger_is_told_how_to_log_in",
    ),
    "Your machine's token file is never sent to another machine": (
        "tests/remote/test_play_command.py::test_the_token_comes_from_the_environment_the_file_or_the_user",
    ),
    "If it cannot, Talewright says so and sends nothing": (
        "tests/remote/test_token_proofs.py::test_an_impostor_never_sees_the_token",
        "tests/remote/test_token_proofs.py::test_a_program_on_another_port_cannot_borrow_a_proof",
        "tests/remote/test_token_proofs.py::test_every_connection_is_proven",
        "tests/bootstrap/hosting/test_host_owners.py::test_a_host_proves_that_it_knows_a_token",
    ),
    "belong to the server and cannot be used together with `--server`": (
        "tests/remote/test_play_command.py::test_what_belongs_to_the_server_is_refused",
    ),
    "Your last input is not lost and is never played twice": (
        "tests/remote/test_restarts.py::test_killed_in_mid_turn_and_started_again",
        "tests/remote/test_restarts.py::test_moves_that_wait_for_a_server_are_made_once",
    ),
    "After a minute without an answer, Talewright tells you": (
        "tests/remote/test_server_connection.py::test_it_gives_up_after_a_time",
    ),
    "After its first two lines, the server prints neither the token nor any query string": (
        f"{_LAUNCHER}::test_it_ends_with_streams_open_and_says_nothing_of_requests",
    ),
}

_ROUTES = "tests/faces/web/test_page_routes.py"
_EVERYONE = "tests/faces/web/everyone"
_TEMPLATES = "tests/faces/web/test_page_templates.py"
_LOOKING_BACK = "tests/faces/web/history/test_history_pages.py"

_SETUP = "tests/faces/web/setup"

_CHROMIUM = "tests/faces/web/in_chromium"

BROWSER: Proofs = {
    "The current turn always starts at the same height, also after a reload": (
        "tests/faces/web/in_chromium/test_stage.py::test_each_turn_starts_on_its_line_with_choices_at_hand",
    ),
    "the copies at the old one are cleared if you visit it": (
        f"{_EVERYONE}/test_offline_reading.py::test_a_server_with_a_new_token_has_another_address_and_the_old_one_keeps_nothing",
    ),
    "The key never appears in a page, an address, a cookie or a log": (
        f"{_SETUP}/test_model_pages.py::test_a_key_is_pasted_tried_kept_and_never_seen_again",
        f"{_SETUP}/test_model_pages.py::test_a_service_that_repeats_a_wrong_key_does_not_show_it",
        f"{_SETUP}/test_lobby_in_chromium.py::test_a_dropped_file_and_a_model_by_keyboard",
    ),
    "**Stop** cancels the turn, and nothing in the game changes": (
        "tests/turn/test_pipeline_breaks.py::test_cancelled_while_the_provider_waits",
        "tests/turn/test_pipeline_breaks.py::test_stopped_by_the_player_the_input_waits_no_longer",
    ),
    "Nothing is saved until you choose": (
        f"{_SETUP}/test_model_pages.py::test_a_key_is_pasted_tried_kept_and_never_seen_again",
    ),
    "**Remove** asks first": (
        f"{_SETUP}/test_lobby_pages.py::test_removing_asks_first_and_says_where_it_is",
    ),
    "Voices that would send the text to a service on the internet are not used": (
        f"{_EVERYONE}/test_reading_aloud.py::test_without_a_voice_there_is_no_button",
    ),
    "It reads the narration on the page and nothing else": (
        f"{_EVERYONE}/test_reading_aloud.py::test_only_finished_narration_is_read",
    ),
    "Everything can be done with the keyboard": (
        f"{_EVERYONE}/test_accessibility_tree.py::test_the_keyboard_alone_reaches_everything_in_order",
    ),
    "Every screen is checked with axe-core": (
        f"{_EVERYONE}/test_screens.py::test_every_page_is_accessible",
        f"{_EVERYONE}/test_screens.py::test_every_state_of_the_table_is_accessible",
        f"{_EVERYONE}/test_screens.py::test_an_ending_is_accessible",
    ),
    "One of our tests plays ten turns using only what a screen reader can see": (
        f"{_EVERYONE}/test_accessibility_tree.py::test_ten_turns_are_played_through_the_accessibility_tree",
    ),
    "never an API key, an access token, the login page or anything hidden": (
        f"{_EVERYONE}/test_stored_canaries.py::test_nothing_hidden_reaches_the_browser_or_its_storage",
        f"{_EVERYONE}/test_offline_reading.py::test_a_new_token_and_logging_out_clear_everything",
    ),
    "its copy is cleared the next time you open the lobby or the campaign's old address": (
        f"{_EVERYONE}/test_offline_reading.py::test_stories_are_kept_shown_and_cleared",
    ),
    "All tabs share one connection for live updates": (
        f"{_EVERYONE}/test_shared_stream.py::test_seven_tabs_have_one_stream_and_survive_a_restart",
        f"{_EVERYONE}/test_shared_stream.py::test_another_tab_takes_over_in_the_midst_of_a_turn",
    ),
    "Nothing you send is ever played twice": (
        f"{_ROUTES}::test_a_game_is_played_by_plain_forms",
        f"{_CHROMIUM}/test_streams.py::test_a_killed_server_is_waited_for",
    ),
    "You can open a campaign in several tabs": (
        f"{_CHROMIUM}/test_streams.py::test_two_tabs_show_one_story",
    ),
    "If the server stops, the page tells you, and reconnects when the server is back": (
        f"{_CHROMIUM}/test_streams.py::test_a_killed_server_is_waited_for",
    ),
    "What you have read stays where it is": (
        f"{_CHROMIUM}/test_streams.py::test_ten_turns_are_streamed_without_a_jump",
    ),
    "No other web page can submit a form on your behalf": (
        f"{_CHROMIUM}/test_forged_forms.py::test_raw_requests_change_nothing_without_login_and_origin",
        f"{_CHROMIUM}/test_forged_forms.py::test_no_page_in_chromium_sends_a_form_that_counts",
    ),
    "The pages work without JavaScript": (
        f"{_ROUTES}::test_a_game_is_played_by_plain_forms",
        f"{_ROUTES}::test_decisions_are_answered_by_forms_too",
    ),
    "no part of the story is lost": (f"{_LOOKING_BACK}::test_a_branch_is_made_switched_and_compared",),
    "It never shows more than 60 rows at once": (
        "tests/faces/web/history/test_long_campaign_pages.py::test_pages_of_a_long_campaign_stay_small",
    ),
    "replays every turn and reports whether it matches the record": (
        f"{_LOOKING_BACK}::test_a_receipt_is_kept_and_the_record_verified",
    ),
    "Your browser loads only files from this server": (f"{_ROUTES}::test_a_game_is_played_by_plain_forms",),
    "Text from a model or a game is always shown as text, never run as HTML or script": (
        f"{_TEMPLATES}::test_hostile_text_stays_text",
        f"{_CHROMIUM}/test_hostile_text.py::test_hostile_text_runs_nothing_and_fetches_nothing",
        f"{_TEMPLATES}::test_scripts_never_turn_text_into_markup",
    ),
    "Apart from the reading copies described above, your browser stores no pages": (
        f"{_ROUTES}::test_a_game_is_played_by_plain_forms",
    ),
    "hidden values and notes are never sent to your browser": (
        "tests/faces/web/test_page_canaries.py::test_pages_hold_no_canary",
    ),
    "The only link to them from the players' pages is **For authors** in the lobby": (
        "tests/faces/web/author/test_author_routes.py::test_player_pages_do_not_link_to_pages_for_authors",
    ),
}

CHECKING: Proofs = {
    "The campaign continues with the last version that worked": (
        "tests/faces/web/author/test_author_routes.py::test_a_campaign_goes_on_with_the_last_good_version_and_then_the_new_one",
    ),
    "The server checks your files for changes only while one of these pages is open": (
        "tests/bootstrap/serving/test_folder_workbench.py::test_nothing_is_compiled_without_a_change_nor_more_often_than_allowed",
    ),
}
