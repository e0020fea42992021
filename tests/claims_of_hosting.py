"""Claims about hosting, and the tests that prove them."""

from tests.claims_of_play import Proofs

_BOOKS = "tests/stores/postgres/test_postgres_books.py"
_DATABASES = "tests/stores/postgres/test_postgres_databases.py"
_TRANSFER = "tests/bootstrap/hosting/test_host_transfer.py"
_CRASHES = "tests/hosting/test_crashes.py"

POSTGRES_STORE: Proofs = {
    "If the connection is lost during a write": (f"{_BOOKS}::test_a_lost_answer_is_looked_up",),
    "no connection is ever returned half-read": (
        f"{_BOOKS}::test_cancelled_callers_leave_nothing_half_done",
    ),
}

HOSTING: Proofs = {
    "A process that is older than the schema refuses to start and says so; it changes nothing": (
        f"{_DATABASES}::test_the_schema_goes_forward_and_a_newer_one_is_refused",
    ),
    "Keep it where you keep passwords, and never in the database or its backups": (
        f"{_DATABASES}::test_a_dump_holds_no_canary",
    ),
    "Without the keys, nothing can be read": (
        f"{_DATABASES}::test_a_dump_holds_no_canary",
        f"{_DATABASES}::test_sealed_values_open_only_at_their_place",
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
