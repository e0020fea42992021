"""What every test stands on: Hypothesis gives the same examples in every run, and nothing leaves the machine.

The fixtures with real servers are in `servers`, the markers in `pacing`. No fixture here knows a room of the
engine.
"""

import gc
import socket
import sys
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests import warm_homes
from tests.loopback import fence
from tests.pacing import (
    mark_all,
    put_long_folders_first,
    pytest_addoption,
    pytest_configure,
    read_folder_seconds,
)
from tests.servers import database_url, postgres_server, redis_server, redis_url

__all__ = [
    "database_url",
    "postgres_server",
    "pytest_addoption",
    "pytest_configure",
    "redis_server",
    "redis_url",
]

NEEDS_UNIX = (
    "crashes/*",
    "deploy/*",
    "faces/tui/test_in_a_terminal.py",
    "faces/tui/test_killed.py",
    "hosting/*",
    "play/sessions/test_shared_news.py",
    "stores/folder/test_file_lock.py",
    "stores/folder/test_folder_book_processes.py",
    "stores/folder/test_odd_files.py",
    "sweep/*",
    "test_mutants.py",
    "test_sweep.py",
)
"""Tests that fork, kill processes, make pipes, hold a pseudo-terminal or run a host, which Windows cannot."""

GARBAGE_MIN = 100_000
"""How many objects tests may make before Python looks for garbage among the newest; it is 700 by default."""

collect_ignore_glob = list(NEEDS_UNIX) if sys.platform == "win32" else []

# An example database would make a run depend on earlier runs, and a deadline on how busy the machine is.
settings.register_profile(
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
# For mutation testing: a failure is all that counts there, so nothing is made small or explained.
settings.register_profile(
    "mutation",
    settings.get_profile("steady"),
    phases=[Phase.explicit, Phase.generate],
    report_multiple_bugs=False,
)
settings.load_profile("steady")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while everything is imported: it all stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what uses a server or a browser, before pytest leaves out what nobody asked for, and order all."""
    mark_all(items)
    put_long_folders_first(items, read_folder_seconds())


def pytest_collection_finish() -> None:
    """Leave what was collected out of later garbage collections: it stays, and is most of the memory.

    The others run less often than usual, which saves a tenth of the processor time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_MIN, 50, 50)


@pytest.fixture(autouse=True, scope="session")
def keep_compiled_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the tests of this process share the shipped games, which the first that needs them compiles."""
    warm_homes.keep_in(tmp_path_factory.mktemp("warm"))
    with pytest.MonkeyPatch.context() as patch:
        warm_homes.share_opened_games(patch)
        yield


@pytest.fixture(autouse=True, scope="session")
def stay_on_this_machine() -> Iterator[None]:
    """Refuse connections to anywhere else before a byte is sent."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", fence(socket.socket.connect))
        patch.setattr(socket.socket, "connect_ex", fence(socket.socket.connect_ex))
        yield
