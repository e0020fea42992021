"""The page on the dice: its program checks a campaign, and its table names every tested forgery."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from talewright.cli import main
from tests.documents import find_programs
from tests.play.verify.forgeries_of_dice import OF_DICE_AND_STATES, Finder
from tests.play.verify.forgeries_of_histories import OF_WHOLE_HISTORIES
from tests.play.verify.forgeries_of_tellings import OF_WHAT_WAS_TOLD
from tests.play.verify.forging import Forger, KeptEditions, play_plot
from tests.warm_homes import warm

PAGE = Path(__file__).parents[3] / "docs" / "play" / "dice.md"

DETECTED_BY = {
    Finder.ANYBODY: "`verify`",
    Finder.OWNER: "`verify` with the secret",
    Finder.NAMED: "`verify`, as not proven (exit code 3)",
    Finder.RECEIPT: "an earlier receipt only",
}


@pytest.fixture(name="check")
def read_check() -> Callable[[Path, str], None]:
    """The program on the page."""
    (program,) = find_programs(PAGE.read_text("utf-8"))
    assert len([line for line in program.splitlines() if line.strip()]) <= 20
    assert "talewright." not in program
    names: dict[str, Callable[[Path, str], None]] = {}
    exec(compile(program, PAGE.name, "exec"), names)  # noqa: S102
    return names["check"]


@pytest.fixture(name="campaign")
def play_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[Path, str]:
    """A campaign with a fresh fate and many draws, and its receipt."""
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path / "home")))
    folder = play_plot(tmp_path / "work", "millrace_long")
    assert main(["receipt", folder.name, "--saves", str(folder.parent)]) == 0
    return folder, capsys.readouterr().out.strip()


def test_the_program_accepts_an_honest_campaign(
    check: Callable[[Path, str], None], campaign: tuple[Path, str]
) -> None:
    check(*campaign)


def test_the_program_detects_what_it_claims_to(
    check: Callable[[Path, str], None], campaign: tuple[Path, str]
) -> None:
    folder, receipt = campaign
    form, length, mac, commitment = receipt.split(":")
    with pytest.raises(AssertionError, match="the secret does not match the commitment"):
        check(folder, ":".join((form, length, mac, mac)))
    with pytest.raises(AssertionError, match="records are missing"):
        check(folder, ":".join((form, "9999", mac, commitment)))
    honest = (folder / "chronicle.jsonl").read_bytes()
    (folder / "chronicle.jsonl").write_bytes(honest.replace(b'"coins":9', b'"coins":8', 1))
    with pytest.raises(AssertionError, match="record 1 was altered"):
        check(folder, receipt)
    (folder / "chronicle.jsonl").write_bytes(honest)
    forger = Forger(folder, KeptEditions())
    place = forger.find(lambda commit: "draws" in commit.body)
    first, *others = forger.body(place)["draws"]
    forger.alter(place, draws=[[*first[:3], first[3] % 6 + 1, first[4]], *others])
    forger.write()
    with pytest.raises(AssertionError, match="turn 34: draw 0 does not follow from the secret"):
        check(folder, receipt)
    forger.alter(place, draws=[first, *others], said="something else")
    forger.write()
    with pytest.raises(AssertionError, match="the receipt does not match the records"):
        check(folder, receipt)


@pytest.mark.parametrize("finder", Finder)
def test_the_page_lists_who_detects_which_forgery(finder: Finder) -> None:
    table = PAGE.read_text("utf-8").partition("\n## Every tested forgery\n")[2]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE)
    listed = [name for name, detected_by in rows if detected_by == DETECTED_BY[finder]]
    forgeries = (*OF_DICE_AND_STATES, *OF_WHAT_WAS_TOLD, *OF_WHOLE_HISTORIES)
    assert listed == [one.name.replace("_", " ") for one in forgeries if one.finder is finder]
