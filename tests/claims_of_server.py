"""Claims of the pages about the server and the browser, and the tests that prove them."""
# The id of a test stays on one line, so that it can be found and run.

from tests.claims_of_play import Proofs

_PAGES = "tests/bootstrap/serving/test_hostile_pages.py::test_no_page_changes_or_reads_anything"
_GUARDS = "tests/faces/http/guards/test_request_guards.py"
_LAUNCHER = "tests/bootstrap/serving/test_server_launcher.py"

SERVER: Proofs = {
    "The token stays the same when you restart the server": (
        f"{_LAUNCHER}::test_the_token_stays_over_a_restart_and_the_saves_too",
    ),
    "a file that only you can read": ("tests/config/test_access_token.py::test_only_its_owner_may_read_it",),
    "It works once, and your browser then stays logged in for 30 days": (
        "tests/faces/http/guards/test_browser_login.py::test_a_code_works_once_in_any_process",
        "tests/faces/http/guards/test_browser_login.py::test_a_code_works_for_a_minute_and_a_session_for_a_month",
    ),
    "You can stop the server at any time": (
        f"{_LAUNCHER}::test_it_ends_with_streams_open_and_says_nothing_of_requests",
    ),
    "What you said is saved before anything else happens": (
        "tests/stores/folder/test_folder_syncs.py::test_inputs_and_turns_are_on_the_disk_when_they_are_acknowledged",
    ),
    "If another program has the saves folder open, the server says so": (
        f"{_LAUNCHER}::test_the_token_stays_over_a_restart_and_the_saves_too",
        "tests/bootstrap/serving/test_saves_presence.py::test_another_program_is_noticed_until_it_ends",
    ),
    "play, and see what a player sees": (
        "tests/bootstrap/serving/test_http_canaries.py::test_no_canary_in_any_byte_that_a_player_receives",
    ),
    "Whatever a token does not allow looks as if it did not exist": (
        "tests/bootstrap/serving/test_route_matrix.py::test_every_route_for_every_role",
    ),
    "A new owner's token revokes all others": (
        "tests/faces/http/test_access_grants.py::test_every_process_knows_a_token_and_a_new_owner_token_revokes_it",
    ),
    "It takes tokens of the roles `master` and `player`, and never yours": (
        "tests/bootstrap/serving/test_mcp_mount.py::test_nobody_else_is_served",
    ),
    "It listens on this machine only": (f"{_LAUNCHER}::test_only_this_machine_can_connect",),
    "A web page that gives your machine another name (DNS rebinding) gets nothing": (
        _PAGES,
        f"{_GUARDS}::test_other_names_are_not",
    ),
    "Requests from pages of any other origin are refused, also from another port of your machine": (
        _PAGES,
        f"{_GUARDS}::test_pages_of_other_origins_are_refused",
    ),
    "Changes made with the browser's cookie need the exact `Origin` of the server": (
        f"{_GUARDS}::test_writes_by_cookie_need_our_own_origin",
    ),
    "Scripts cannot read it, and browsers do not send it with requests from other sites": (
        "tests/faces/http/guards/test_browser_login.py::test_the_cookie_is_hidden_from_scripts_and_other_sites",
    ),
    "There are no WebSockets, pages may not be framed, and nothing is loaded from elsewhere": (
        f"{_GUARDS}::test_websockets_are_refused",
        f"{_GUARDS}::test_names_of_this_machine_are_answered",
        "tests/faces/http/guards/test_login_page.py::test_a_stranger_is_told_how_to_log_in",
    ),
    "The token file of your machine is never sent to another one": (
        "tests/remote/test_play_command.py::test_the_token_comes_from_the_environment_the_file_or_the_user",
    ),
    "belong to the server and cannot be used here": (
        "tests/remote/test_play_command.py::test_what_belongs_to_the_server_is_refused",
    ),
    "Your last input is not lost and not taken twice": (
        "tests/remote/test_restarts.py::test_killed_in_mid_turn_and_started_again",
        "tests/remote/test_restarts.py::test_moves_that_wait_for_a_server_are_made_once",
    ),
    "After a minute without an answer you are told so": (
        "tests/remote/test_server_connection.py::test_it_gives_up_after_a_time",
    ),
    "After its first lines, the server prints neither the token nor any query string": (
        f"{_LAUNCHER}::test_it_ends_with_streams_open_and_says_nothing_of_requests",
    ),
}

_ROUTES = "tests/faces/web/test_page_routes.py"
_TEMPLATES = "tests/faces/web/test_page_templates.py"

BROWSER: Proofs = {
    "What you sent is never taken twice": (f"{_ROUTES}::test_a_game_is_played_by_plain_forms",),
    "The pages work without JavaScript": (
        f"{_ROUTES}::test_a_game_is_played_by_plain_forms",
        f"{_ROUTES}::test_decisions_are_answered_by_forms_too",
    ),
    "Only files of this server": (f"{_ROUTES}::test_a_game_is_played_by_plain_forms",),
    "nothing that a model or a game writes can become more than text": (
        f"{_TEMPLATES}::test_hostile_text_stays_text",
        f"{_TEMPLATES}::test_scripts_never_turn_text_into_markup",
    ),
    "Pages are not stored in the browser's cache": (f"{_ROUTES}::test_a_game_is_played_by_plain_forms",),
    "nothing hidden is ever sent": ("tests/faces/web/test_page_canaries.py::test_pages_hold_no_canary",),
}
