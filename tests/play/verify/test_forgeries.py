"""Forgeries, every hash recomputed: each is found by whoever can find it; honest campaigns are believed."""

import asyncio
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from talewright.chronicle.records import Commit
from talewright.cli import main
from talewright.play.verify.receipts import CampaignReceipt
from talewright.play.verify.turn_proof import TurnStanding
from tests.play.verify.forgeries_of_dice import (
    BROKE,
    CHAPEL,
    GOBLIN,
    HARBOR,
    LANTERN,
    MILLRACE,
    OF_DICE_AND_STATES,
    SOLO,
    Finder,
    Forgery,
    dice_of_a_game_master_exchanged_by_an_older_engine_number,
)
from tests.play.verify.forgeries_of_histories import (
    OF_WHOLE_HISTORIES,
    copy_of_the_game_in_the_campaign_replaced,
)
from tests.play.verify.forgeries_of_tellings import OF_WHAT_WAS_TOLD
from tests.play.verify.forging import Examined, Forger, KeptEditions, examine, play_plot, take_receipt
from tests.warm_homes import warm

NO_SECRET = "its draws were taken from the record, because the dice secret is not available"

FORGERIES = (*OF_DICE_AND_STATES, *OF_WHAT_WAS_TOLD, *OF_WHOLE_HISTORIES)

every_forgery = pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)


@pytest.fixture(autouse=True, scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A user's home of our own, with the games compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path_factory.mktemp("home"))))
        yield


@dataclass(frozen=True)
class Honest:
    """Campaigns that were played a moment ago, each with its receipt."""

    campaigns: Mapping[str, tuple[Path, CampaignReceipt]]
    editions: KeptEditions

    def copy(self, plot: str, place: Path) -> tuple[Forger, CampaignReceipt]:
        """Somebody with a copy to work on, and the receipt of the honest one."""
        folder, receipt = self.campaigns[plot]
        return Forger(Path(shutil.copytree(folder, place / "saves" / plot)), self.editions), receipt

    def examine(self, forger: Forger, receipt: CampaignReceipt) -> Examined:
        """What is found of what a forger made."""
        return asyncio.run(examine(forger.folder, self.editions, receipt, forger.secret))


@pytest.fixture(scope="module")
def honest(home: None, tmp_path_factory: pytest.TempPathFactory) -> Honest:
    root = tmp_path_factory.mktemp("honest")
    folders = {name: play_plot(root, name) for name in (HARBOR, LANTERN, CHAPEL, SOLO, MILLRACE, GOBLIN)}
    campaigns = {name: (folder, asyncio.run(take_receipt(folder))) for name, folder in folders.items()}
    return Honest(campaigns, KeptEditions())


def test_there_are_more_than_twenty_of_our_own() -> None:
    names = [forgery.name for forgery in FORGERIES]
    assert len(set(names)) == len(names) >= len(BROKE) + 20


@pytest.mark.slow
@pytest.mark.parametrize("plot", [HARBOR, LANTERN, CHAPEL, SOLO, MILLRACE, GOBLIN])
def test_whoever_rewrites_a_campaign_as_it_is_changes_nothing(
    honest: Honest, plot: str, tmp_path: Path
) -> None:
    forger, receipt = honest.copy(plot, tmp_path)
    before = (forger.folder / "chronicle.jsonl").read_bytes()
    forger.write()
    assert (forger.folder / "chronicle.jsonl").read_bytes() == before
    found = honest.examine(forger, receipt)
    assert found.receipt == ""
    assert found.owner.violations == found.blind.violations == ()
    assert {turn.verdict.standing for turn in found.owner.turns} == {TurnStanding.PROVEN}
    # Without the secret, the draws are believed, and only they.
    rolled = {
        one.id for one in forger.records if isinstance(one, Commit) and one.body.get("draws") and one.parent
    }
    assert {turn.commit for turn in found.blind.folded} == rolled
    assert {turn.verdict.why for turn in found.blind.folded} <= {NO_SECRET}


@every_forgery
def test_forgery_is_found(honest: Honest, forgery: Forgery, tmp_path: Path) -> None:
    forger, receipt = honest.copy(forgery.plot, tmp_path)
    forgery.work(forger)
    forger.write()
    found = honest.examine(forger, receipt)
    blind, owner = found.blind, found.owner
    match forgery.finder:
        case Finder.ANYBODY:
            assert not blind.good
            assert not owner.good
            # What no engine could have written cannot even be read: then the whole record is called damaged.
            damaged = any("is damaged" in one.what for one in owner.violations)
            assert owner.count(TurnStanding.WRONG) or damaged
        case Finder.OWNER:
            assert blind.good
            assert not owner.good
            assert owner.count(TurnStanding.WRONG)
        case Finder.NAMED:
            assert blind.good
            assert owner.good
            assert blind.folded
            assert owner.folded
        case Finder.RECEIPT:
            assert blind.good
            assert owner.good
            assert not owner.folded
    # With a receipt from before, every altered record is found. A game is not in the records but its digest.
    assert found.receipt or forgery.work is copy_of_the_game_in_the_campaign_replaced


@pytest.mark.parametrize("forgery", BROKE, ids=lambda forgery: forgery.name)
def test_what_was_believed_once_is_refused_by_the_command(
    honest: Honest, forgery: Forgery, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forger, _ = honest.copy(forgery.plot, tmp_path)
    forgery.work(forger)
    forger.write()
    saves = ("--saves", str(forger.folder.parent))
    assert main(["verify", forgery.plot, "--reveal", *saves]) == 1
    assert "violation" in capsys.readouterr().out


def test_dice_that_an_older_engine_number_exchanges_are_not_proven_by_the_command(
    honest: Honest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forger, _ = honest.copy(GOBLIN, tmp_path)
    dice_of_a_game_master_exchanged_by_an_older_engine_number(forger)
    forger.write()
    assert main(["verify", GOBLIN, "--saves", str(forger.folder.parent)]) == 3
    told = capsys.readouterr().out
    assert "an older engine (number 3) let its game master choose among draws" in " ".join(told.split())


def test_a_state_out_of_its_range_is_not_played_on(
    honest: Honest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forger, _ = honest.copy(HARBOR, tmp_path)
    forger.add_change(forger.find(lambda commit: True), "/hp", 5_000)
    forger.write()
    assert main(["play", HARBOR, "--plain", "--no-git", "--saves", str(forger.folder.parent)]) != 0
    told = capsys.readouterr()
    assert "does not fit its game: hp is 5000" in told.out + told.err
    assert "Traceback" not in told.out + told.err
