"""`talewright verify`: what holds, what does not, and when the secret is looked at."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from talewright.turn.engine_number import ENGINE_NUMBER
from tests.cli.campaigns import NAME, SECRET, TURNS, Console
from tests.cli.desk import Desk
from tests.kept_campaigns.keeping import find_kept, lay_out
from tests.play.verify.forgeries_of_histories import (
    dice_claimed_to_be_imported,
    dice_claimed_to_be_imported_in_the_future,
    own_secret_claimed_to_be_an_earlier_one,
)
from tests.play.verify.forging import Forger, KeptEditions

ALL_PROVEN = f"{TURNS + 2} of {TURNS + 2} turns are proven: replaying them gives the recorded results."
UNDERIVED = "is not proven: its draws were taken from the record, because the dice secret is not available"
AGREE = "the others agree with themselves, and nothing is wrong."


def test_campaign_is_proven_and_keeps_its_secret(console: Console) -> None:
    answer = console.run("verify")
    assert answer.code == 0
    assert answer.lines[0].startswith(f"{NAME}: ")
    assert f"{TURNS + 2} commits" in answer.lines[0]
    assert "derived draws" in answer.lines[0]
    assert answer.lines[1] == ALL_PROVEN
    assert SECRET.hex() not in answer.out


def test_without_the_secret_all_but_the_draws_is_proven_and_it_says_so(own_console: Console) -> None:
    (own_console.saves / NAME / "secret").unlink()
    answer = own_console.run("verify", "--reveal")
    # Nothing was drawn in this campaign.
    assert answer.code == 0
    assert "derived draws" not in answer.lines[0]
    assert answer.lines[1] == ALL_PROVEN
    assert answer.lines[-1] == "The dice secret is not available."


def test_without_the_secret_turns_with_dice_are_not_proven(desk: Desk, tmp_path: Path) -> None:
    kept = next(one for one in find_kept() if (one.place.name, one.name) == ("fourth", "millrace_long"))
    saves = ("--saves", str(lay_out(kept, tmp_path / "saves").parent))
    assert ": replaying them gives the recorded results." in desk.run("verify", kept.name, *saves).out
    (tmp_path / "saves" / kept.name / "secret").unlink()
    answer = desk.run("verify", kept.name, *saves)
    assert answer.code == 3
    assert ": replaying them" not in answer.out
    assert AGREE in answer.out
    assert [line for line in answer.lines if line.endswith(UNDERIVED)]
    assert [line for line in answer.lines if line.endswith("from the record, not derived from the secret.")]
    report = json.loads(desk.run("verify", kept.name, "--json", *saves).out)
    assert (report["good"], report["rolls_derived"]) == (True, False)
    assert {each["verdict"] for each in report["turns"]} == {"proven", "folded"}


@pytest.mark.parametrize(
    ("forgery", "code"),
    [
        (dice_claimed_to_be_imported_in_the_future, 1),
        (dice_claimed_to_be_imported, 3),
        (own_secret_claimed_to_be_an_earlier_one, 3),
    ],
)
def test_forged_dice_are_not_called_proven(
    forgery: Callable[[Forger], None], code: int, desk: Desk, tmp_path: Path
) -> None:
    kept = next(one for one in find_kept() if (one.place.name, one.name) == ("fourth", "lantern_scenes"))
    forger = Forger(lay_out(kept, tmp_path / "saves"), KeptEditions())
    forgery(forger)
    forger.write()
    place = ("--saves", str(tmp_path / "saves"))
    answer = desk.run("verify", kept.name, "--secret", forger.secret.hex(), *place)
    assert answer.code == code
    assert ": replaying them gives the recorded results." not in answer.out
    report = json.loads(desk.run("verify", kept.name, "--secret", forger.secret.hex(), "--json", *place).out)
    assert report["rolls_derived"] is False
    rolled = [
        each for each in report["turns"] if "its draws were taken from the record" in each.get("why", "")
    ]
    assert [each["verdict"] for each in rolled] == ["folded"]


def test_what_only_a_receipt_could_cover_is_named(own_console: Console) -> None:
    (said,) = [
        line for line in own_console.run("verify").lines if line.startswith("Only an earlier receipt ")
    ]
    assert said.startswith("Only an earlier receipt could cover: times; ids and names ")
    report = json.loads(own_console.run("verify", "--json").out)
    parts = {each["part"]: each["records"] for each in report["unproven"]}
    assert parts["commit.at"] == parts["commit (whole)"] == TURNS + 2
    assert parts["commit.body.input"] == TURNS + 1
    # A receipt covers everything before it.
    receipt = own_console.run("receipt").out.strip()
    answer = own_console.run("verify", "--receipt", receipt)
    assert not [line for line in answer.lines if line.startswith("Only an earlier receipt could")]
    assert json.loads(own_console.run("verify", "--receipt", receipt, "--json").out)["unproven"] == []


def test_every_turn_is_named_with_its_verdict(console: Console) -> None:
    report = json.loads(console.run("verify", "--json").out)
    assert [(each["turn"], each["branch"], each["verdict"]) for each in report["turns"]] == [
        (turn, "main", "proven") for turn in range(TURNS + 2)
    ]
    assert [each["engine"] for each in report["turns"]] == [0] + [ENGINE_NUMBER] * (TURNS + 1)
    assert (report["good"], report["rolls_derived"], report["imported"]) == (True, True, False)
    assert [(each["game"], each["installed"]) for each in report["games"]] == [("mist_harbor", True)]


def test_of_a_past_before_a_plain_save_nothing_is_proven_and_it_says_so(
    own_console: Console, tmp_path: Path
) -> None:
    file = tmp_path / "copy.json"
    assert own_console.run("saves", "export", NAME, str(file)).code == 0
    assert own_console.run("saves", "import", str(file)).code == 0
    answer = own_console.run("verify", "copy")
    assert answer.code == 3
    assert answer.lines[0].endswith(
        "is not proven: it started from a save game, about whose past nothing is proven"
    )
    assert "This campaign started from a save game; the turns before that are not proven." in answer.lines
    assert json.loads(own_console.run("verify", "copy", "--json").out)["imported"] is True


def test_a_game_that_is_not_installed_is_named(desk: Desk, tmp_path: Path) -> None:
    kept = next(one for one in find_kept() if one.name == "millrace_fresh")
    lay_out(kept, tmp_path / "saves")
    answer = desk.run("verify", kept.name, "--saves", str(tmp_path / "saves"))
    assert answer.code in (0, 3)
    told = [line for line in answer.lines if line.startswith("Played with millrace ")]
    assert told
    assert all(line.endswith("which is not installed here.") for line in told)


def test_revealed_secret_derives_every_roll(console: Console) -> None:
    for words in (("--reveal",), ("--secret", SECRET.hex())):
        answer = console.run("verify", NAME, *words)
        assert answer.code == 0
        assert "derived draws" in answer.lines[0]
        assert (f"secret: {SECRET.hex()}" in answer.lines) is (words == ("--reveal",))


def test_wrong_secret_is_a_violation(console: Console) -> None:
    answer = console.run("verify", "--secret", "00")
    assert answer.code == 1
    assert answer.lines[0].startswith("I9: this secret does not match the commitment, at turn 0 (")
    assert answer.lines[-2] == f"{TURNS + 1} of {TURNS + 2} turns are proven; 1 violation."
    assert answer.lines[-1] == f"If a file was damaged, try: talewright saves recover {NAME}"


@pytest.mark.parametrize("given", ["xyz", "", " "])
def test_secret_that_is_no_hexadecimal_is_refused(console: Console, given: str) -> None:
    answer = console.run("verify", "--secret", given)
    assert answer.code == 2
    assert "pairs of hexadecimal digits" in answer.err


def test_what_clients_saw_is_looked_for(console: Console, tmp_path: Path) -> None:
    head = json.loads(console.run("tree", "--json").out)["head"]
    seen = tmp_path / "seen.txt"
    seen.write_text(f"{head}\n", "utf-8")
    assert console.run("verify", "--seen", str(seen)).code == 0
    seen.write_text(f"{head}\nnever\n", "utf-8")
    report = json.loads(console.run("verify", "--seen", str(seen), "--json").out)
    assert report["good"] is False
    assert report["checked"]["seen"] == 2
    assert [each["invariant"] for each in report["violations"]] == ["I1"]
    answer = console.run("verify", "--seen", str(tmp_path / "gone"))
    assert answer.code == 2
    assert "one id per line" in answer.err


def test_damage_is_found(own_console: Console) -> None:
    chronicle = own_console.saves / NAME / "chronicle.jsonl"
    data = bytearray(chronicle.read_bytes())
    data[len(data) // 2] ^= 1
    chronicle.write_bytes(bytes(data))
    answer = own_console.run("verify")
    assert answer.code == 1
    assert answer.lines[0].startswith("I3: ")
