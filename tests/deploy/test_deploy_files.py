"""The files in `deploy/` fit the program: commands, options, variables, ports and files are those it knows.

No image is pulled or built.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from talewright.bootstrap.hosting.host_addresses import MODEL_SERVERS
from talewright.bootstrap.hosting.operations_launcher import OPERATIONS_BIND, read_operations_bind
from talewright.bootstrap.serving.server_launcher import SERVER_PORT
from talewright.cli import make_parser
from talewright.cli.help.command_table import COMMANDS
from talewright.config.settings_parser import read_settings
from talewright.hosting.operations.operations_server import HEALTH_PATH
from talewright.hosting.turn_queue import POOL_SIZE as QUEUE_CONNECTIONS
from talewright.hosting.worker_process import POOL_SIZE as WORKER_CONNECTIONS
from talewright.play.serving.owner_quotas import QUOTAS
from talewright.stores.postgres.connection_pool import POOL_SIZE as STORE_CONNECTIONS
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


def test_models_are_the_business_of_workers_alone() -> None:
    workers = SERVICES["worker"]["environment"]
    assert workers.keys() - SERVICES["node"]["environment"].keys() == {MODEL_KEY, MODEL_SERVERS}
    assert workers[MODEL_SERVERS] == f"${{{MODEL_SERVERS}:-}}"
    with_key = [name for name, service in SERVICES.items() if MODEL_KEY in str(service)]
    assert with_key == ["worker"]


def test_each_service_reaches_only_what_it_needs() -> None:
    members: dict[str, set[str]] = {}
    for name, service in SERVICES.items():
        for network in service["networks"]:
            members.setdefault(network, set()).add(name)
    assert members == {
        "players": {"proxy"},
        "nodes": {"proxy", "node"},
        "postgres": {"postgres", "node", "worker"},
        "redis": {"redis", "node", "worker"},
        "models": {"worker"},
    }
    assert COMPOSE["networks"].keys() == members.keys()
    # Only players come in, and only workers go out.
    open_ones = [name for name, network in COMPOSE["networks"].items() if not (network or {}).get("internal")]
    assert open_ones == ["players", "models"]


def test_processes_have_no_more_rights_than_they_need() -> None:
    for name, service in SERVICES.items():
        assert service["security_opt"] == ["no-new-privileges:true"], name
    # The entry point of PostgreSQL's image changes owners and users, and its files are on a volume.
    for name in SERVICES.keys() - {"postgres"}:
        assert SERVICES[name]["cap_drop"] == ["ALL"], name
        assert SERVICES[name]["read_only"] is True, name
    assert {name: service["cap_add"] for name, service in SERVICES.items() if "cap_add" in service} == {
        "proxy": ["NET_BIND_SERVICE"]
    }


def test_addresses_are_those_of_the_other_services() -> None:
    environment = SERVICES["worker"]["environment"]
    postgres = SERVICES["postgres"]["environment"]
    user, database = postgres["POSTGRES_USER"], postgres["POSTGRES_DB"]
    password = postgres["POSTGRES_PASSWORD"]
    assert environment["DATABASE_URL"] == f"postgresql://{user}:{password}@postgres:5432/{database}"
    assert len(parse_shards(fill(environment["DATABASE_URL"])).databases) == 1
    assert (
        environment["REDIS_URL"]
        == f"redis://:{SERVICES['redis']['environment']['REDISCLI_AUTH']}@redis:6379/0"
    )
    assert SERVICES["node"]["depends_on"] == {
        name: {"condition": "service_healthy"} for name in ("postgres", "redis")
    }


def test_ports_are_the_same_everywhere() -> None:
    command = SERVICES["node"]["command"]
    assert command[command.index("--bind") + 1] == f"0.0.0.0:{SERVER_PORT}"
    host, operations = read_operations_bind(SERVICES["node"]["environment"][OPERATIONS_BIND])
    assert host == "0.0.0.0"
    assert SERVICES["node"]["expose"] == [str(SERVER_PORT), str(operations)]
    assert SERVICES["worker"]["expose"] == [str(operations)]
    assert ("EXPOSE", f"{SERVER_PORT} {operations}") in find_instructions()
    assert f"name node\n\t\t\tport {SERVER_PORT}\n" in (DEPLOY / "Caddyfile").read_text("utf-8")
    (health,) = [rest for name, rest in find_instructions() if name == "HEALTHCHECK"]
    assert f"http://127.0.0.1:{operations}{HEALTH_PATH}" in health
    assert f"{OPERATIONS_BIND}=127.0.0.1:{operations}" in DOCKERFILE
    assert all("healthcheck" not in SERVICES[name] for name in OURS)
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
    images = {found[1] for found in VARIABLE.finditer(text) if found[1].endswith("_IMAGE")}
    assert {found[1] for found in VARIABLE.finditer(text)} - images == example.keys()
    assert {name for name, value in example.items() if value} == {"PUBLIC_HOST"}
    required = {found[1] for found in re.finditer(r"\$\{(\w+):\?", text)}
    assert required == example.keys() - {MODEL_KEY, MODEL_SERVERS, QUOTAS}
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


def read_pins(name: str) -> dict[str, str]:
    """The pinned packages of a file in `requirements/`, with their hashes."""
    text = (ROOT / "requirements" / name).read_text("utf-8").replace("\\\n", "")
    return dict(line.split(" ", 1) for line in text.splitlines() if "==" in line)


def find_installs() -> list[str]:
    """What the Dockerfile installs with pip, command by command."""
    commands = [part for name, rest in find_instructions() if name == "RUN" for part in rest.split("&&")]
    return [command for command in commands if re.search(r"\bpip\b.* install ", command)]


def test_whatever_the_image_downloads_has_a_known_hash() -> None:
    installs = find_installs()
    assert len(installs) == 3
    for command in installs:
        # Building from sources would download the tools for it, without hashes.
        hashed = {"--require-hashes", "--only-binary=:all:", "--no-deps"} <= set(command.split())
        built_here = {"--no-index", "--no-deps"} <= set(command.split())
        assert hashed or built_here, command
    assert "sed" not in DOCKERFILE.split()
    for name in ("image.txt", "hosted.txt", "hosted_vendors.txt"):
        pins = read_pins(name)
        assert pins
        assert all("--hash=sha256:" in rest for rest in pins.values()), name
    tested = read_pins("dev.txt")
    for name in ("hosted.txt", "hosted_vendors.txt"):
        assert read_pins(name).keys() <= tested.keys(), "other versions than the tests have"


def test_the_image_has_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"]
    built = project["build-system"]["requires"]
    hosted = [*project["project"]["dependencies"], *extras["hosted"]]
    wanted = {
        "image.txt": [*built, "cyclonedx-bom"],
        "hosted.txt": hosted,
        "hosted_vendors.txt": [*hosted, *extras["anthropic"], *extras["google"]],
    }
    for file, needed in wanted.items():
        pinned = {pin.partition("==")[0] for pin in read_pins(file)}
        assert {re.split(r"[\[<>=]", one)[0].lower() for one in needed} <= pinned, file
    (default,) = [
        rest.partition("=")[2] for name, rest in find_instructions() if rest.startswith("REQUIREMENTS=")
    ]
    assert default == "hosted"
    assert "--build-arg REQUIREMENTS=hosted_vendors" in DOCKERFILE


def test_images_can_be_pinned_by_digest() -> None:
    bases = [rest.split()[0] for name, rest in find_instructions() if name == "FROM"]
    assert bases == ["${PYTHON_IMAGE}"] * 2
    (default,) = [
        rest.partition("=")[2] for name, rest in find_instructions() if rest.startswith("PYTHON_IMAGE=")
    ]
    assert SERVICES["node"]["build"]["args"] == {"PYTHON_IMAGE": f"${{PYTHON_IMAGE:-{default}}}"}
    others = {name: service["image"] for name, service in SERVICES.items() if name not in OURS}
    assert others == {
        "postgres": "${POSTGRES_IMAGE:-postgres:15}",
        "redis": "${REDIS_IMAGE:-redis:7}",
        "proxy": "${CADDY_IMAGE:-caddy:2}",
    }
    # A digest belongs to the operator who has looked it up.
    for file in (*DEPLOY.iterdir(), ROOT / "docs" / "run" / "hosting.md"):
        if file.is_file():
            assert not re.search(r"sha256:[0-9a-f]{64}", file.read_text("utf-8")), file


def test_the_image_runs_the_program_without_root() -> None:
    instructions = find_instructions()
    # A number, so that Kubernetes can see that it is not root.
    (user,) = [rest for name, rest in instructions if name == "USER"]
    assert user == "10001:10001"
    assert ("ENTRYPOINT", '["talewright"]') in instructions
    homes = {mount.split(":")[1] for name in OURS for mount in SERVICES[name]["volumes"]}
    assert homes == {"/var/lib/talewright"}
    assert "TALEWRIGHT_HOME=/var/lib/talewright" in DOCKERFILE
    assert all(SERVICES[name]["build"]["dockerfile"] == "deploy/Dockerfile" for name in OURS)


def test_the_settings_file_on_the_page_fits_the_compose_file() -> None:
    page = (ROOT / "docs" / "run" / "hosting.md").read_text("utf-8")
    (text,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    settings = read_settings(text, "the page")
    ours = settings.models[settings.usual.model]
    assert ours.key_name == MODEL_KEY
    assert MODEL_KEY in SERVICES["worker"]["environment"]
    assert ours.prices is not None
    mounts = {mount.split(":")[0] for name in OURS for mount in SERVICES[name]["volumes"]}
    assert mounts == {"./home"}
    assert "`deploy/home/`" in page
