"""`talewright serve` as a process: what it prints, who it answers, and how it ends."""

import signal
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from talewright.bootstrap.serving.server_launcher import BODY_LIMITS, SERVER_PORT, has_display, make_link
from talewright.config.access_token import find_token_file
from talewright.pack.game_folders import write_starter
from tests.bootstrap.serving.processes import TOKEN, ServeCommand, begin_campaign, serve_command

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeCommand]:
    with serve_command(tmp_path_factory.mktemp("home")) as running:
        yield running


def test_the_default_port_is_fixed() -> None:
    assert SERVER_PORT == 8734


def test_a_campaign_is_begun_with_the_token_and_not_without(server: ServeCommand) -> None:
    asked = {"game": "lantern_road", "language": "en"}
    with server.client("") as stranger, server.client() as owner:
        refused = stranger.post("/api/campaigns", json=asked)
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
        assert owner.get("/api/campaigns").json()["total"] == 0
        assert owner.post("/api/campaigns", json=asked).status_code == 201
        assert stranger.get("/api/health").json() == {"status": "ok"}


def test_the_link_logs_a_browser_in_and_its_cookie_plays(server: ServeCommand) -> None:
    with server.browser() as browser:
        assert browser.get("/").status_code == 401
        assert browser.get(server.link).status_code == 303
        assert server.token not in str(browser.cookies)
        assert "Lantern Road" in browser.get("/games").text
        assert browser.get("/api/campaigns").status_code == 200
        asked = {"game": "lantern_road", "language": "en"}
        assert browser.post("/api/campaigns", json=asked).status_code == 403
        own = {"Origin": server.origin}
        assert browser.post("/api/campaigns", json=asked, headers=own).status_code == 201
        assert browser.get(server.link).status_code == 401


def test_another_link_can_be_had_while_it_runs(server: ServeCommand) -> None:
    with server.browser() as browser:
        link = make_link(server.port, {"TALEWRIGHT_TOKEN": TOKEN})
        assert browser.get(link).status_code == 303
        # A link for another port, or made with another token, is of no use.
        for port, token in ((1, TOKEN), (server.port, f"{TOKEN}-other")):
            code = make_link(port, {"TALEWRIGHT_TOKEN": token}).partition("?")[2]
            assert browser.get(f"/login?{code}").status_code == 401


def test_the_desk_has_the_games_where_it_was_started_and_those_of_the_user(tmp_path: Path) -> None:
    for folder in (tmp_path / "here" / "games", tmp_path / "home" / "games"):
        name = f"game_of_{folder.parent.name}"
        write_starter(folder / name, name, f"Game of {folder.parent.name}")
    with serve_command(tmp_path / "home", folder=tmp_path / "here") as server, server.client() as owner:
        desk = owner.get("/author").text
        assert "Game of here" in desk
        assert "Game of home" in desk
        assert "Lantern Road" not in desk
        inside = tmp_path / "here" / "games" / "game_of_here"
    with serve_command(tmp_path / "home", folder=inside) as server, server.client() as owner:
        assert "Game of here" in owner.get("/author").text


def test_routes_with_larger_bodies_exist(server: ServeCommand) -> None:
    with server.client("") as stranger:
        paths = stranger.get("/api/openapi.json").json()["paths"]
    pages = {"/import"}
    assert set(BODY_LIMITS) - pages <= set(paths)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_with_streams_open_and_says_nothing_of_requests(number: int, tmp_path: Path) -> None:
    with serve_command(tmp_path) as server, server.client() as client:
        campaign = begin_campaign(client)
        with (
            client.stream("GET", f"/api/campaigns/{campaign}/news?after=0&chunks=all") as stream,
            client.stream("GET", f"/api/campaigns/{campaign}/news?role=master") as second,
        ):
            assert stream.headers["content-type"].startswith("text/event-stream")
            lines = stream.iter_lines()
            assert next(lines) == "retry: 1000"
            ended: list[int] = []
            stopping = threading.Thread(target=lambda: ended.append(server.stop(number)))
            stopping.start()
            # Both streams end whole, and not as broken connections.
            list(lines)
            second.read()
            stopping.join()
        assert ended == [0]
        printed = server.everything_printed()
        assert "Traceback" not in printed
        assert printed.splitlines()[2:] == []
        assert "chunks" not in printed


def test_it_can_be_stopped_as_soon_as_it_has_printed_its_lines(tmp_path: Path) -> None:
    with serve_command(tmp_path) as server:
        assert server.stop(signal.SIGINT) == 0
        assert server.everything_printed().splitlines()[2:] == []


def test_the_token_stays_over_a_restart_and_the_saves_too(tmp_path: Path) -> None:
    saves = str(tmp_path / "saves")
    with serve_command(tmp_path, "--saves", saves, token="") as first, first.client() as client:
        campaign = begin_campaign(client)
        assert (
            find_token_file({"TALEWRIGHT_HOME": str(tmp_path)}, tmp_path).read_text().strip() == first.token
        )
        cookies = httpx.Cookies()
        with first.browser() as browser:
            browser.get(first.link)
            cookies.update(browser.cookies)
        with serve_command(tmp_path, "--saves", saves, token="") as beside:
            # Two servers may share a folder; the second says so.
            assert beside.token == first.token
            assert "another program has the saves folder" in beside.everything_printed()
        assert "another program" not in first.everything_printed()
        port = first.port
        assert first.stop(signal.SIGTERM) == 0
    again = serve_command(tmp_path, "--saves", saves, "--port", str(port), token="")
    with again as second, second.client() as client:
        assert second.token == first.token
        assert "another program" not in second.everything_printed()
        assert [one["name"] for one in client.get("/api/campaigns").json()["items"]] == [campaign]
        with second.browser() as browser:
            browser.cookies.update(cookies)
            assert browser.get("/api/campaigns").status_code == 200


def test_only_this_machine_can_connect(server: ServeCommand) -> None:
    # Whoever listens on all addresses has this one too.
    with socket.socket() as other, pytest.raises(OSError, match="refused"):
        other.connect(("127.0.0.2", server.port))


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a display")
@pytest.mark.parametrize(
    ("variables", "in_a_terminal", "opened"),
    [
        ({"DISPLAY": ":0"}, True, True),
        ({"WAYLAND_DISPLAY": "w"}, True, True),
        ({"DISPLAY": ":0"}, False, False),
        ({}, True, False),
    ],
)
def test_a_browser_is_opened_only_where_it_has_a_window(
    variables: dict[str, str], in_a_terminal: bool, opened: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.isatty", lambda file: in_a_terminal)
    assert has_display(variables) is opened
