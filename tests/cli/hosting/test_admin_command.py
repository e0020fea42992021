"""`talewright admin`: owners, budgets, stuck turns and verification, on a real PostgreSQL."""

import asyncio
import json
import os
import re

import asyncpg
import pytest
from dbos import run_dbos_database_migrations

from talewright.bootstrap.hosting.host_admin import read_verification_limits
from talewright.chronicle.records import Accepted
from talewright.cli import WRONG_USE, main
from talewright.cli.campaign import campaign_access
from talewright.hosting.database_addresses import make_database_url
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.limits.shared_budgets import SharedBudgets
from talewright.hosting.operations.json_logs import clean_operation
from talewright.hosting.owners.owner_accounts import OwnerAccounts
from talewright.hosting.turn_jobs import TurnJob
from talewright.hosting.turn_queue import TurnQueue
from talewright.stores.postgres.connection_retry import Database
from talewright.stores.postgres.postgres_store import connect
from talewright.stores.postgres.sealing import parse_keys
from talewright.stores.postgres.shards import single_database
from talewright.testing.store_checks.store_fixtures import make_founding
from tests.cli.campaigns import NAME, Answer, Console
from tests.hosting.added_owners import add_owners

KEYS = "k1:" + "A" * 43 + "="
CANARY = "canary-pass"


class Operator:
    """Runs `talewright admin`."""

    def __init__(self, url: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.url = url
        self._capsys = capsys
        self.logged: list[dict[str, object]] = []
        """The lines about what was changed, which are JSON."""

    def run(self, *words: str) -> Answer:
        try:
            code = main(["admin", *words])
        except SystemExit as stop:
            code = int(str(stop.code))
        told = self._capsys.readouterr()
        lines = told.err.splitlines(keepends=True)
        self.logged += [json.loads(line) for line in lines if line.startswith("{")]
        return Answer(code, told.out, "".join(line for line in lines if not line.startswith("{")))

    def read(self, *words: str) -> object:
        answer = self.run(*words, "--json")
        assert answer.err == ""
        return json.loads(answer.out)


@pytest.fixture
def operator(
    database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Operator:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("TALEWRIGHT_SEALING_KEYS", KEYS)
    # However slow this machine is.
    monkeypatch.setattr(campaign_access, "QUIET_SECONDS", 600.0)
    return Operator(database_url, capsys)


def find_owner(url: str, token: str) -> str | None:
    async def find() -> str | None:
        async with asyncpg.create_pool(url, min_size=0) as pool:
            return await OwnerAccounts(pool).find(token)

    return asyncio.run(find())


def test_an_owner_is_added_and_its_token_is_shown_once(operator: Operator) -> None:
    assert operator.run("owner", "list").lines == [
        "There are no owners yet. Add one: talewright admin owner add LABEL"
    ]
    answer = operator.run("owner", "add", "Ann \x1b[31m", "--dollars", "2.5")
    assert (answer.code, answer.err) == (0, "")
    owner, token = re.findall(r"^(?:id|token): (\S+)$", answer.out, re.MULTILINE)
    assert answer.lines[-1] == "Keep it safe: the host stores only its hash and cannot show it again."
    assert find_owner(operator.url, token) == owner
    listed = operator.run("owner", "list")
    assert listed.out.startswith(f"{owner}  Ann ")
    assert "\x1b" not in listed.out
    assert token not in listed.out + operator.run("budgets").out
    new = operator.run("owner", "token", owner).lines[0].removeprefix("token: ")
    assert (find_owner(operator.url, token), find_owner(operator.url, new)) == (None, owner)
    assert operator.run("owner", "remove", owner).code == 0
    assert find_owner(operator.url, new) is None
    # What changes something is one line in the log, without the label or a token.
    assert [one["action"] for one in operator.logged] == ["add_owner", "renew_token", "remove_owner"]
    assert {one["owner"] for one in operator.logged} == {owner}
    assert all(re.fullmatch("[0-9a-f]{32}", str(one["operation"])) for one in operator.logged)
    assert not any(word in str(operator.logged) for word in ("Ann", token, new))


def test_owners_as_json(operator: Operator) -> None:
    made = operator.read("owner", "add", "Ann", "--tokens", "1000")
    assert isinstance(made, dict)
    assert operator.read("owner", "list") == [{"id": made["id"], "label": "Ann"}]
    new = operator.read("owner", "token", made["id"])
    assert isinstance(new, dict)
    assert find_owner(operator.url, new["token"]) == made["id"]
    assert operator.read("owner", "remove", made["id"]) == {"id": made["id"], "removed": True}
    assert operator.read("owner", "list") == []


def test_limits_change_one_by_one(operator: Operator) -> None:
    made = operator.read("owner", "add", "Ann", "--tokens", "1000", "--dollars", "3")
    assert isinstance(made, dict)
    owner = made["id"]
    assert operator.run("owner", "limits", owner, "--dollars", "7.25", "--monthly-tokens", "500").lines == [
        "dollars: 7.25",
        "tokens: 1000",
        "monthly dollars: none",
        "monthly tokens: 500",
    ]
    limits = {"id": owner, "dollars": 7.25, "tokens": None, "monthly_dollars": 2.0, "monthly_tokens": 500}
    given = ("--tokens", "none", "--monthly-dollars", "2")
    assert operator.read("owner", "limits", owner, *given) == limits
    assert operator.read("owner", "limits", owner) == limits


def test_budgets_show_what_is_spent_and_reserved(operator: Operator) -> None:
    made = operator.read("owner", "add", "Ann", "--dollars", "3", "--monthly-tokens", "900")
    assert isinstance(made, dict)
    owner = made["id"]

    async def spend() -> None:
        database = Database(operator.url)
        budgets = SharedBudgets(database)
        await budgets.settle((await budgets.reserve(owner, 1.0, 100)).id, 0.5, 60)
        await budgets.reserve(owner, 1.25, 80)
        await database.close()

    asyncio.run(spend())
    assert operator.run("budgets").lines == [
        f"{owner}  Ann",
        "  dollars: 0.5000 spent, 1.2500 reserved, limit 3",
        "  tokens: 60 spent, 80 reserved, limit none",
        "  this month: 0.5000 dollars, limit none; 60 tokens, limit 900",
        "  campaigns: 0, 0 bytes stored",
    ]
    assert operator.read("budgets") == [
        {
            "id": owner,
            "label": "Ann",
            "dollars": {"spent": 0.5, "reserved": 1.25, "limit": 3.0},
            "tokens": {"spent": 60, "reserved": 80, "limit": None},
            "monthly_dollars": {"spent": 0.5, "limit": None},
            "monthly_tokens": {"spent": 60, "limit": 900},
            "campaigns": 0,
            "bytes": 0,
        }
    ]


def test_budgets_show_what_is_stored(operator: Operator) -> None:
    made = operator.read("owner", "add", "Ann")
    assert isinstance(made, dict)

    async def store() -> int:
        opened = await connect(single_database(operator.url), parse_keys(KEYS))
        mine = opened.for_owner(made["id"])
        for name in ("one", "two"):
            await mine.found(make_founding(name))
        await mine.remove("two", "2026-11-18T00:00:00Z")
        (row,) = await opened.databases[0].fetch("select sum(octet_length(line))::int as bytes from records")
        await opened.close()
        return int(row["bytes"])

    size = asyncio.run(store())
    assert operator.run("budgets").lines[-1] == f"  campaigns: 1, {size} bytes stored"
    told = operator.read("budgets")
    assert isinstance(told, list)
    assert isinstance(told[0], dict)
    assert (told[0]["campaigns"], told[0]["bytes"]) == (1, size)


@pytest.mark.parametrize("word", ["token", "limits", "remove"])
def test_an_unknown_owner_is_told_with_a_hint(operator: Operator, word: str) -> None:
    answer = operator.run("owner", word, "nobody")
    assert (answer.code, answer.out) == (WRONG_USE, "")
    assert answer.err == "talewright: there is no such owner\nList them: talewright admin owner list\n"


@pytest.mark.parametrize(
    "words",
    [
        ("owner", "add", "Ann", "--dollars", "-1"),
        ("owner", "add", "Ann", "--dollars", "nan"),
        ("owner", "add", "Ann", "--dollars", "\u0665"),
        ("owner", "add", "Ann", "--dollars", "1e30"),
        ("owner", "add", "Ann", "--tokens", "9" * 4_400),
        ("owner", "add", "Ann\udcff"),
        ("owner", "add", "Ann", "--tokens", "1.5"),
        ("owner", "add", "Ann", "--tokens", str(2**63)),
        ("turns", "--older-than", "inf"),
        ("turns", "--older-than", "soon"),
        ("verify", "--since", "yesterday"),
        ("verify", "--sample", "0"),
        (),
        ("owner",),
    ],
)
def test_wrong_use_is_told(words: tuple[str, ...], operator: Operator) -> None:
    answer = operator.run(*words)
    assert answer.code == WRONG_USE
    assert "Traceback" not in answer.err


def order(url: str, name: str, executor: str = "") -> str:
    """Order a turn; with an executor, as if that worker had taken it."""
    job = TurnJob("ann", name, f"op-{name}", "c" * 40, 0)

    async def run() -> None:
        queue = TurnQueue(url, pool_size=1)
        await queue.order_turn(job)
        await queue.close()
        if executor:
            connection = await asyncpg.connect(url)
            await connection.execute(
                "update dbos.workflow_status set status = 'PENDING', executor_id = $2,"
                " application_version = '9' where workflow_uuid = $1",
                job.workflow,
                executor,
            )
            await connection.close()

    asyncio.run(run())
    return job.workflow


def test_stuck_turns_are_listed_and_resumed(operator: Operator) -> None:
    assert operator.run("turns").lines == ["No turn is stuck."]
    run_dbos_database_migrations(system_database_url=make_database_url(operator.url))
    waiting = order(operator.url, "harbor")
    taken = order(operator.url, "road", "worker-1")
    assert operator.run("turns").lines == ["No turn is stuck."]
    answer = operator.run("turns", "--older-than", "0")
    assert answer.code == 3
    assert re.fullmatch(
        rf"{waiting}: turns, \d+ s, waiting in the queue\n{taken}: turns, \d+ s, running on worker-1\n"
        "Turns in the queue wait for a worker; see: talewright admin workers\n",
        answer.out,
    )
    told = operator.read("turns", "--older-than", "0", "--resume")
    assert isinstance(told, dict)
    assert (told["resumed"], [one["executor"] for one in told["turns"]]) == (1, ["", "worker-1"])
    (line,) = operator.logged
    assert (line["action"], line["owner"]) == ("resume_turn", "ann")
    assert line["operation"] == clean_operation("op-road")
    # Both wait now, one of them for its engine: nothing was resumed, and a script has to know.
    answer = operator.run("turns", "--older-than", "0", "--resume")
    assert (answer.code, answer.lines[-2]) == (3, "0 of 2 will continue on another worker.")
    assert answer.lines[1].endswith("waiting in the queue for engine 9")


def accept(url: str, campaign: str, operation: str) -> TurnJob:
    """Accept an input, and order nothing."""

    async def run() -> TurnJob:
        store = await connect(single_database(url), parse_keys("k1:" + "A" * 43 + "="))
        book = await store.for_owner("ann").found(make_founding(campaign))
        head = (await book.look()).head
        await book.accept(Accepted(operation, "main", head, {"kind": "say", "text": CANARY}, "at"))
        await store.close()
        return TurnJob("ann", campaign, operation, head, 0)

    return asyncio.run(run())


def test_saved_inputs_that_are_in_no_queue_are_listed(operator: Operator) -> None:
    job = accept(operator.url, "harbor", "op-1")
    assert operator.run("turns").lines == ["No turn is stuck."]
    for _ in range(2):
        answer = operator.run("turns", "--older-than", "0")
        assert answer.code == 3
        assert re.fullmatch(
            r"ann/harbor/op-1: saved \d+ s ago, in no queue; a worker will queue it\n", answer.out
        )
        # The same on a host that has never had a worker.
        run_dbos_database_migrations(system_database_url=make_database_url(operator.url))
    told = operator.read("turns", "--older-than", "0")
    assert isinstance(told, dict)
    assert [(one["campaign"], one["operation_id"]) for one in told["strays"]] == [("harbor", "op-1")]

    async def queue_turn() -> None:
        queue = TurnQueue(operator.url, pool_size=1)
        await queue.order_turn(job)
        await queue.close()

    asyncio.run(queue_turn())
    told = operator.read("turns", "--older-than", "0")
    assert isinstance(told, dict)
    assert told["strays"] == []


def test_turns_that_were_all_resumed_are_not_stuck(operator: Operator) -> None:
    run_dbos_database_migrations(system_database_url=make_database_url(operator.url))
    order(operator.url, "road", "worker-1")
    answer = operator.run("turns", "--older-than", "0", "--resume")
    assert (answer.code, answer.lines[1:]) == (0, ["1 of 1 will continue on another worker."])


def test_workers_are_listed_and_retired(operator: Operator) -> None:
    assert operator.run("workers").lines == ["No worker is running."]
    assert operator.run("workers", "--retire", "5").code == 1

    async def beat() -> dict[str, bool]:
        tables = HostingTables(operator.url)
        told = {}
        for executor, version in (("worker-1", "4"), ("worker-2", "5")):
            told[executor] = await tables.beat(executor, version)
        # They stay alive, however long this test takes.
        await tables.fetch("update hosting.executors set answered = answered + 1000, backend = null")
        await tables.close()
        return told

    assert asyncio.run(beat()) == {"worker-1": False, "worker-2": False}
    run_dbos_database_migrations(system_database_url=make_database_url(operator.url))
    order(operator.url, "road", "worker-1")
    listed = operator.run("workers").lines
    assert listed == [
        "worker-1: engine 4, running, last heartbeat 0.0 s ago, 1 job",
        "worker-2: engine 5, running, last heartbeat 0.0 s ago, 0 jobs",
    ]
    told = operator.read("workers", "--retire", "5")
    assert isinstance(told, dict)
    assert told["retired"] == ["worker-2"]
    assert [one["action"] for one in operator.logged] == ["retire_worker"]
    assert [(one["alive"], one["retired"]) for one in told["workers"]] == [(True, False), (True, True)]
    assert asyncio.run(beat()) == {"worker-1": False, "worker-2": True}
    assert operator.run("workers", "--retire", "nobody").code == 1


def test_a_dead_worker_is_shown_until_it_is_retired(operator: Operator) -> None:
    async def work() -> None:
        tables = HostingTables(operator.url)
        await tables.beat("worker-1", "4")
        await tables.fetch("update hosting.answered_time set at = at - interval '1 hour'")
        await tables.close()

    asyncio.run(work())
    dead, none = operator.run("workers").lines
    assert dead.startswith("worker-1: engine 4, dead, last heartbeat 360")
    assert none == "No worker is running."
    answer = operator.run("workers", "--retire", "worker-1")
    assert (answer.code, answer.lines) == (0, ["No worker is running.", "Retired: 1."])


def execute(url: str, statement: str) -> None:
    """Change something in the database behind the back of the host."""

    async def run() -> None:
        connection = await asyncpg.connect(url)
        await connection.execute(statement)
        await connection.close()

    asyncio.run(run())


@pytest.fixture
def host(operator: Operator, own_console: Console) -> Operator:
    """A host with a campaign of Ann, and two of Ben."""
    add_owners(operator.url, "ann", "ben")
    for owner, name in (("ann", NAME), ("ben", NAME), ("ben", "other")):
        assert own_console.run("saves", "push", NAME, "--owner", owner, "--name", name).code == 0
    return operator


def read_verified(operator: Operator, *words: str) -> list[tuple[str, str, bool]]:
    """The owners and names of the verified campaigns, and whether nothing is wrong with them."""
    told = operator.read("verify", *words)
    assert isinstance(told, dict)
    return [(one["owner"], one["campaign"], one["good"]) for one in told["campaigns"]]


@pytest.mark.process
def test_campaigns_of_a_host_are_verified(host: Operator) -> None:
    answer = host.run("verify")
    assert (answer.code, answer.err) == (0, "")
    assert sorted(answer.lines[:3]) == [
        f"ann/{NAME}: 8 of 8 turns are proven",
        f"ben/{NAME}: 8 of 8 turns are proven",
        "ben/other: 8 of 8 turns are proven",
    ]
    assert answer.lines[3:] == ["3 campaigns: 0 with violations, 0 not completely proven."]
    assert len(host.run("verify", NAME).lines) == 3
    assert read_verified(host, "other", "--owner", "ben") == [("ben", "other", True)]
    for words in (("verify", "gone"), ("verify", "other", "--owner", "ann")):
        answer = host.run(*words)
        assert answer.code == WRONG_USE
        assert "there is no campaign" in answer.err


def test_nothing_to_verify(operator: Operator) -> None:
    assert operator.run("verify").lines == ["0 campaigns: 0 with violations, 0 not completely proven."]


@pytest.mark.process
def test_a_damaged_campaign_is_reported_and_the_others_are_verified(host: Operator) -> None:
    execute(host.url, "update campaigns set sequence = sequence + 1 where owner = 'ann'")
    execute(
        host.url,
        "update records set line = set_byte(line, 20, 0) where number = 4"
        " and campaign = (select id from campaigns where name = 'other')",
    )
    answer = host.run("verify")
    assert (answer.code, answer.err) == (1, "")
    damage = f"the record of '{NAME}' is damaged: its row was changed"
    assert f"ann/{NAME}: I3: {damage}, at the whole campaign" in answer.lines
    assert f"ben/{NAME}: 8 of 8 turns are proven" in answer.lines
    assert any(line.startswith("ben/other: I3: ") for line in answer.lines)
    assert answer.lines[-1] == "3 campaigns: 2 with violations, 0 not completely proven."
    expected = [("ann", NAME, False), ("ben", NAME, True), ("ben", "other", False)]
    assert read_verified(host) == expected


@pytest.mark.process
def test_campaigns_to_verify_are_chosen(host: Operator) -> None:
    execute(host.url, "update campaigns set written = '2026-10-31 23:59:59Z' where name = 'other'")
    assert read_verified(host, "--since", "2026-11-01", "--owner", "be") == [("ben", NAME, True)]
    assert read_verified(host, "other", "--since", "2026-10-31T23:00") == [("ben", "other", True)]
    assert read_verified(host, "other", "--since", "2026-11-01T00:00+00:00") == []
    answer = host.run("verify", "--sample", "1")
    assert answer.code == 0
    assert answer.lines[1:] == [
        "A sample of 1 from 3 campaigns.",
        "1 campaign: 0 with violations, 0 not completely proven.",
    ]


def test_an_owner_is_found_by_the_beginning_of_the_id(operator: Operator) -> None:
    add_owners(operator.url, "0f3a5c", "0f3a77", "0f3")
    changed = operator.read("owner", "limits", "0f3a5", "--dollars", "2")
    assert isinstance(changed, dict)
    assert (changed["id"], changed["dollars"]) == ("0f3a5c", 2.0)
    # A whole id is never ambiguous.
    assert operator.read("owner", "remove", "0f3") == {"id": "0f3", "removed": True}
    for words in (("owner", "remove", "0f3a"), ("verify", "--owner", "0f3a")):
        answer = operator.run(*words)
        assert (answer.code, answer.out) == (WRONG_USE, "")
        assert answer.err == "talewright: the ids of several owners begin like this\nGive more of the id.\n"


def test_an_unknown_owner_is_neither_verified_nor_given_a_campaign(
    operator: Operator, own_console: Console
) -> None:
    add_owners(operator.url, "ann")
    refused = "talewright: there is no such owner\nList them: talewright admin owner list\n"
    for answer in (
        operator.run("verify", "--owner", "ben"),
        own_console.run("saves", "push", NAME, "--owner", "ben"),
        own_console.run("saves", "pull", NAME, "--owner", "ben"),
    ):
        assert (answer.code, answer.out, answer.err) == (WRONG_USE, "", refused)
    assert operator.run("verify", "--owner", "ann").code == 0
    assert own_console.run("saves", "push", NAME, "--owner", "ann", "--name", "tale").code == 0
    # Campaigns of a removed owner stay, and can be fetched.
    assert operator.run("owner", "remove", "ann").code == 0
    assert own_console.run("saves", "push", NAME, "--owner", "ann", "--name", "more").code == WRONG_USE
    assert own_console.run("saves", "pull", "tale", "--owner", "ann").code == 0


def test_verification_uses_all_processors() -> None:
    assert read_verification_limits({}).processes == min(os.cpu_count() or 1, 64)
    limits = read_verification_limits({"TALEWRIGHT_JOB_PROCESSES": "3", "TALEWRIGHT_JOB_MEGABYTES": "512"})
    assert (limits.processes, limits.owner_processes, limits.megabytes) == (3, 3, 512)


def test_a_missing_setting_or_server_is_told_with_a_hint(
    monkeypatch: pytest.MonkeyPatch, operator: Operator
) -> None:
    monkeypatch.delenv("TALEWRIGHT_SEALING_KEYS")
    assert "TALEWRIGHT_SEALING_KEYS is not set" in operator.run("verify").err
    for url in (
        f"postgresql://ann:{CANARY}@127.0.0.1:9/tales",
        f"nonsense://{CANARY}",
        operator.url.replace("talewright@", f"ann:{CANARY}@"),
        operator.url + CANARY,
    ):
        monkeypatch.setenv("DATABASE_URL", url)
        answer = operator.run("owner", "list")
        assert (answer.code, answer.out) == (WRONG_USE, "")
        assert answer.err.startswith("talewright: the database cannot be reached (")
        assert "Check that PostgreSQL is running" in answer.err
        assert CANARY not in answer.err
        told = operator.run("owner", "list", "--json")
        assert json.loads(told.out)["error"]["code"] == "database_unreachable"
    monkeypatch.delenv("DATABASE_URL")
    answer = operator.run("budgets")
    assert answer.code == WRONG_USE
    assert answer.err == (
        "talewright: DATABASE_URL is not set\nSee docs/run/hosting.md for the settings of a host.\n"
    )
