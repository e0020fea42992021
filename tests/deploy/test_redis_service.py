"""The Redis of the compose file, started here by its own command: nobody gets in without the password."""

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from talewright_testkit.servers.redis_server import RedisServer
from talewright_testkit.servers.server_process import HOST, running
from tests.deploy.test_deploy_files import SERVICES

PASSWORD = "0123456789abcdef"
SERVICE = SERVICES["redis"]

pytestmark = pytest.mark.hosted


class ServiceRedis(RedisServer):
    """Redis as the compose file starts it, at an address of this machine."""

    def make_command(self) -> Sequence[str]:
        """The command of the service; Compose turns `$$` into `$`."""
        shell, option, script = (word.replace("$$", "$") for word in SERVICE["command"])
        place = f"redis-server - --bind {HOST} --port {self.port} --dir {self.folder}"
        assert script.count("redis-server -") == 1
        return [shell, option, script.replace("redis-server -", place)]

    def is_ready(self) -> bool:
        """Whether it answers at all."""
        try:
            return bool(self.send("PING"))
        except OSError:
            return False


@pytest.fixture
def service(redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServiceRedis]:
    """The running service; `redis_server` skips the test where Redis is not installed."""
    assert list(SERVICE["environment"]) == ["REDISCLI_AUTH"]
    monkeypatch.setenv("REDISCLI_AUTH", PASSWORD)
    with running(ServiceRedis()) as server:
        yield server


def test_nothing_is_answered_without_the_password(service: ServiceRedis) -> None:
    assert service.send("PING").startswith("-NOAUTH")
    assert service.send("AUTH wrong").startswith("-WRONGPASS")
    assert service.send(f"AUTH {PASSWORD}") == "+OK"


def test_the_password_is_not_among_the_arguments(service: ServiceRedis) -> None:
    shown = Path(f"/proc/{service.pid}/cmdline").read_bytes()
    # The shell has become the server, which gets the signals of Docker.
    assert shown.startswith(b"redis-server")
    assert PASSWORD.encode() not in shown
    assert not any(PASSWORD in word for word in service.make_command())


def test_the_health_check_asks_with_the_password(
    service: ServiceRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, check = SERVICE["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    here = check.replace("redis-cli", f"redis-cli -h {HOST} -p {service.port}")
    assert subprocess.run(["sh", "-c", here], check=False).returncode == 0
    monkeypatch.setenv("REDISCLI_AUTH", "wrong")
    assert subprocess.run(["sh", "-c", here], check=False, capture_output=True).returncode != 0


def test_nothing_is_kept_on_disk(service: ServiceRedis) -> None:
    def ask(setting: str) -> str:
        command = ["redis-cli", "-h", HOST, "-p", str(service.port), "config", "get", setting]
        return subprocess.check_output(command, text=True).splitlines()[-1]

    assert [ask(name) for name in ("save", "appendonly", "maxmemory-policy")] == ["", "no", "volatile-ttl"]
