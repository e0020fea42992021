"""The files in `deploy/` fit the program: commands, options, variables, ports and files are those it knows.

No image is pulled or built.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from talewright.bootstrap.hosting.operations_launcher import OPERATIONS_BIND, read_operations_bind
from talewright.bootstrap.serving.server_launcher import SERVER_PORT
from talewright.cli import make_parser
from talewright.cli.help.command_table import COMMANDS
from talewright.hosting.operations.operations_server import HEALTH_PATH
from talewright.hosting.turn_queue import POOL_SIZE as QUEUE_CONNECTIONS
from talewright.hosting.worker_process import POOL_SIZE as WORKER_CONNECTIONS
from talewright.stores.postgres.connections import POOL_SIZE as STORE_CONNECTIONS
from talewright.stores.postgres.shards import parse_shards

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("node", "worker")
VARIABLE = re.compile(r"\$\{(\w+)(?::[-?][^}]*)?\}")
MODEL_KEY = "MODEL_API_KEY"
"""The one variable whose name the operator chooses, in the settings of the models."""


def find_instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, with continued lines put together."""
    text = re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.MULTILINE).replace("\\\n", " ")
    return [(line.split()[0], line.partition(" ")[2]) for line in text.splitlines() if line.strip()]


def fill(text: str) -> str:
    """A value of the compose file with every variable filled in."""
    return VARIABLE.sub("filled", text)


def read_seconds(text: str) -> float:
    assert text.endswith("s")
    return float(text[:-1])


@pytest.mark.parametrize("name", OURS)
def test_commands_are_those_of_the_program(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [fill(word) for word in SERVICES[name]["command"]]
    if words[0] not in COMMANDS or ("--hosted" in words and "--hosted" not in _help(words[0], capsys)):
        pytest.skip(f"this version has no talewright {' '.join(words[:2])}")
    arguments = make_parser([words[0]]).parse_args(words)
    assert arguments.run.__module__ == COMMANDS[words[0]].module


def _help(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        make_parser([name]).parse_args([name, "--help"])
    return capsys.readouterr().out


@pytest.mark.parametrize("name", OURS)
def test_variables_are_those_of_the_program(name: str) -> None:
    sources = "".join(file.read_text("utf-8") for file in (ROOT / "src").rglob("*.py"))
    for variable in SERVICES[name]["environment"]:
        assert variable == MODEL_KEY or f'"{variable}"' in sources, variable
    needed = {"DATABASE_URL", "REDIS_URL", "TALEWRIGHT_SEALING_KEYS", OPERATIONS_BIND}
    assert needed <= SERVICES[name]["environment"].keys()


def test_addresses_are_those_of_the_other_services() -> None:
    environment = SERVICES["worker"]["environment"]
    postgres = SERVICES["postgres"]["environment"]
    user, database = postgres["POSTGRES_USER"], postgres["POSTGRES_DB"]
    password = postgres["POSTGRES_PASSWORD"]
    assert environment["DATABASE_URL"] == f"postgresql://{user}:{password}@postgres:5432/{database}"
    assert len(parse_shards(fill(environment["DATABASE_URL"])).databases) == 1
    assert environment["REDIS_URL"] == "redis://redis:6379/0"
    assert SERVICES["postgres"]["image"] == "postgres:15"


def test_ports_are_the_same_everywhere() -> None:
    command = SERVICES["node"]["command"]
    assert command[command.index("--bind") + 1] == f"0.0.0.0:{SERVER_PORT}"
    host, operations = read_operations_bind(SERVICES["node"]["environment"][OPERATIONS_BIND])
    assert host == "0.0.0.0"
    assert SERVICES["node"]["expose"] == [str(SERVER_PORT), str(operations)]
    assert SERVICES["worker"]["expose"] == [str(operations)]
    assert ("EXPOSE", f"{SERVER_PORT} {operations}") in find_instructions()
    assert f"name node\n\t\t\tport {SERVER_PORT}\n" in (DEPLOY / "Caddyfile").read_text("utf-8")
    for name in OURS:
        assert f"http://127.0.0.1:{operations}{HEALTH_PATH}" in SERVICES[name]["healthcheck"]["test"][-1]
    # Players reach the proxy alone: neither metrics nor databases are published.
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


def test_the_proxy_leaves_out_a_node_that_it_cannot_reach() -> None:
    """`test_proxy.py` shows what these do, where Caddy is installed."""
    words = (DEPLOY / "Caddyfile").read_text("utf-8").split()
    times = {
        name: read_seconds(words[words.index(name) + 1])
        for name in ("refresh", "dial_timeout", "lb_try_duration", "fail_duration")
    }
    assert all(times.values())
    # There must be time for a node that does not answer, and for the next one.
    assert times["lb_try_duration"] > 2 * times["dial_timeout"]


def test_there_are_two_of_each_and_connections_for_all() -> None:
    replicas = {name: SERVICES[name]["deploy"]["replicas"] for name in OURS}
    assert replicas == {"node": 2, "worker": 2}
    (setting,) = [word for word in SERVICES["postgres"]["command"] if word.startswith("max_connections=")]
    # Besides these, each process has a few for heartbeats, health and owners.
    each = STORE_CONNECTIONS + QUEUE_CONNECTIONS + WORKER_CONNECTIONS + 16
    assert int(setting.partition("=")[2]) >= each * sum(replicas.values())


def test_a_worker_has_time_to_finish_its_turns() -> None:
    worker = SERVICES["worker"]
    drain = float(worker["command"][worker["command"].index("--drain-seconds") + 1])
    assert read_seconds(worker["stop_grace_period"]) > drain


def test_every_secret_comes_from_the_environment_file() -> None:
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    example = dict(
        line.split("=", 1)
        for line in (DEPLOY / "example.env").read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    )
    assert {found[1] for found in VARIABLE.finditer(text)} == example.keys()
    assert {name for name, value in example.items() if value} == {"PUBLIC_HOST"}
    required = {found[1] for found in re.finditer(r"\$\{(\w+):\?", text)}
    assert required == example.keys() - {MODEL_KEY}
    assert "deploy/.env" in (ROOT / ".gitignore").read_text("utf-8").splitlines()


def test_the_image_is_made_of_files_of_the_repository() -> None:
    allowed = [
        line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")
    ]
    copied = []
    for name, rest in find_instructions():
        if name == "COPY" and not rest.startswith("--from"):
            copied += rest.split()[:-1]
    assert sorted(copied) == sorted(allowed)
    assert all((ROOT / file).exists() for file in copied)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    (built,) = [rest.partition("=")[2] for name, rest in find_instructions() if name == "ARG"]
    offered = re.search(r"--build-arg EXTRAS=(\S+)", DOCKERFILE)
    assert offered is not None
    assert {*built.split(","), *offered[1].split(",")} <= extras.keys()


def test_the_image_runs_the_program_without_root() -> None:
    instructions = find_instructions()
    assert ("USER", "talewright") in instructions
    assert ("ENTRYPOINT", '["talewright"]') in instructions
    homes = {mount.split(":")[1] for name in OURS for mount in SERVICES[name]["volumes"]}
    assert homes == {"/var/lib/talewright"}
    assert "TALEWRIGHT_HOME=/var/lib/talewright" in DOCKERFILE
    assert all(SERVICES[name]["build"]["dockerfile"] == "deploy/Dockerfile" for name in OURS)
