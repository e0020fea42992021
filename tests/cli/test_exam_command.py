"""`talewright exam`: a table, JSON or a plot of how models tell a game, and exit codes that say it too."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from talewright.cli import WRONG_USE
from talewright.pack.game_folders import write_starter
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.workshop.examination import ExamPlan, ExamProgress, ExamResult, examine
from tests.cli.desk import Desk
from tests.cli.oracle import Oracle, tell_cards

SETTINGS = """\
model = "own"
fallback = ["other"]
[models.own]
base_url = "{url}"
model = "oracle-1"
prices = {{ input = 1.0, output = 2.0 }}
[models.other]
base_url = "{url}"
model = "oracle-2"
prices = {{ input = 10.0, output = 20.0 }}
"""


@pytest.fixture(autouse=True)
def configure(desk: Desk, oracle: Oracle) -> None:
    desk.write(SETTINGS.format(url=oracle.url))


def test_a_model_is_examined(desk: Desk, oracle: Oracle) -> None:
    told = desk.run("exam", "own", "--turns", "5")
    assert told.code == 0, told
    table = told.out.splitlines()
    assert table[0].split()[:6] == ["model", "game", "turns", "first", "try", "after"]
    assert table[1].split()[:5] == ["own", "lantern_road", "5", "5", "(100%)"]
    assert "this may cost about" in told.err
    assert len(oracle.asked) == 5
    # The campaigns were played elsewhere.
    assert not (desk.home / "saves").exists()


def test_the_game_in_a_folder_is_told(desk: Desk, tmp_path: Path) -> None:
    write_starter(tmp_path / "drafts" / "my_road", "salt_road", "Salt Road")
    told = desk.run("exam", "own", str(tmp_path / "drafts" / "my_road"), "--turns", "1")
    assert told.code == 0, told
    assert told.out.splitlines()[1].split()[:2] == ["own", "salt_road"]


def test_several_models_and_games_are_compared(desk: Desk, oracle: Oracle, tmp_path: Path) -> None:
    words = (
        "exam",
        "own",
        "lantern_road",
        "mist_harbor",
        "--model",
        "other",
        "--turns",
        "2",
        "--language",
        "en",
    )
    plot = tmp_path / "models.svg"
    told = desk.run(*words, "--json", "--svg", str(plot), "--saves", str(tmp_path / "kept"))
    assert told.code == 0, told
    report = json.loads(told.out)
    assert (report["exam"], report["seed"], report["turns"]) == (1, 1, 2)
    pairs = [(one["model"], one["game"]) for one in report["results"]]
    games = ("lantern_road", "mist_harbor")
    assert pairs == [(model, game) for model in ("own", "other") for game in games]
    for one in report["results"]:
        assert (one["turns"], one["at_once"], one["in_language"], one["language"]) == (2, 2, 2, "en")
        assert one["tokens"]["cached_tokens"] == 800
        assert set(one["seconds"]) == {"median_turn", "longest_turn", "total"}
    dollars = [one["tokens"]["dollars"] for one in report["results"]]
    assert dollars[2:] == pytest.approx([10 * one for one in dollars[:2]])
    # A fallback never answers in the place of the model that is examined.
    assert {str(asked["model"]) for asked in oracle.asked[:4]} == {"oracle-1"}
    assert sorted(path.name for path in (tmp_path / "kept").iterdir() if path.is_dir()) == [
        "other-lantern-road-1",
        "other-mist-harbor-1",
        "own-lantern-road-1",
        "own-mist-harbor-1",
    ]
    picture = ElementTree.parse(plot).getroot()
    assert picture.tag.endswith("svg")
    labels = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert "other, mist_harbor" in labels


def test_the_same_seed_gives_the_same_report_but_for_the_times(desk: Desk, oracle: Oracle) -> None:
    words = ("exam", "own", "--turns", "4", "--seed", "9", "--no-times", "--json")
    first, second = desk.run(*words), desk.run(*words)
    assert first.out == second.out
    assert "seconds" not in first.out
    assert oracle.asked[:4] == oracle.asked[4:]


def test_a_model_that_cannot_tell_has_failed(desk: Desk, oracle: Oracle) -> None:
    oracle.text = "I am not able to write that."
    told = desk.run("exam", "own", "--turns", "4")
    assert told.code == 1
    assert "no JSON object in the answer" in told.out
    assert "by scene" in told.out
    report = json.loads(desk.run("exam", "own", "--turns", "4", "--json").out)["results"][0]
    assert report["at_once"] + report["repaired"] == 0
    assert report["by_scene"] > 0
    assert report["by_scene"] + report["untold"] == report["turns"]
    assert report["repair_reasons"][0]["kind"] == "form"


def test_enough_turns_must_be_told(desk: Desk, oracle: Oracle) -> None:
    assert desk.run("exam", "own", "--turns", "2", "--at-least", "100%").code == 0
    oracle.text = tell_cards("雾")
    assert desk.run("exam", "own", "--turns", "2", "--at-least", "0").code == 0
    oracle.text = ""
    assert desk.run("exam", "own", "--turns", "2", "--at-least", "1").code == 1


def test_a_server_that_fails_is_given_up(desk: Desk, oracle: Oracle) -> None:
    oracle.status = 401
    told = desk.run("exam", "own", "--turns", "9")
    assert told.code == 1
    assert "given up, because the model did not answer" in told.out


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("none",),
        ("nobody-knows-it",),
        ("own", "no_such_game"),
        ("own", "--turns", "0"),
        ("own", "--turns", "many"),
        ("own", "--at-least", "101"),
        ("own", "--turns", "1", "--svg", "no/such/folder/plot.svg"),
    ],
)
def test_wrong_use(desk: Desk, words: tuple[str, ...]) -> None:
    told = desk.run("exam", *words)
    assert told.code == WRONG_USE
    assert told.err


def test_ctrl_c_stops_it_and_what_was_examined_is_shown(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def stop_at_other(lobby: StoreLobby, plan: ExamPlan, progress: ExamProgress) -> ExamResult:
        if plan.model == "other":
            raise KeyboardInterrupt
        return await examine(lobby, plan, progress)

    monkeypatch.setattr("talewright.cli.exam_command.examine", stop_at_other)
    told = desk.run("exam", "own", "--model", "other", "--turns", "1")
    assert told.code == 130
    assert "talewright: stopped" in told.err
    assert [line.split()[0] for line in told.out.splitlines()] == ["model", "own"]
    told = desk.run("exam", "other")
    assert (told.code, told.out) == (130, "")


def test_help_shows_an_example(desk: Desk) -> None:
    told = desk.run("exam", "--help")
    assert told.code == 0
    assert "talewright exam ollama/llama3.2 lantern_road --turns 5 --svg models.svg" in told.out
