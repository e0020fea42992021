"""Kept campaigns as whole saves: each goes into a file and back with its past; altered files do no harm."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from talewright.bootstrap import open_lobby
from talewright.cli import main
from talewright.errors import TalewrightError
from talewright.play.campaign_view import Viewer
from talewright.play.export.whole_save import hash_records
from talewright.play.history.campaign_history import CampaignArchive
from talewright.play.lobby import ExportForm
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.verify.campaign_verification import verify
from tests.kept_campaigns.keeping import Kept, find_kept, lay_out
from tests.kept_campaigns.standing import describe
from tests.opened import opened
from tests.warm_homes import warm

CAMPAIGNS = find_kept()
every_campaign = pytest.mark.parametrize("kept", CAMPAIGNS, ids=lambda kept: f"{kept.place.name}-{kept.name}")

ALTERED = {
    *(("second", "lantern_imported"), ("second", "millrace_fresh"), ("second", "solo_tools")),
    *(("fifth", "goblin_mcp"), ("fifth", "tankard_pulled")),
}
"""An import, dice that are fresh, a model with tools; a fight told over MCP, a town that lived on a host."""

SEED = 13
ALTERATIONS = 25
"""Files made of each of them, one place altered in each."""

ODD: tuple[Any, ...] = (
    *(None, True, -1, 10**400, 1.5, "", "../../x", "\x1b[2J", "\ud800"),
    *([], {}, ["x"], {"kind": "say"}),
)


@pytest.fixture(autouse=True, scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A user's home of our own, with the games compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path_factory.mktemp("home"))))
        yield


@every_campaign
def test_it_comes_back_whole(kept: Kept, tmp_path: Path) -> None:
    folder = lay_out(kept, tmp_path)

    async def run() -> None:
        lobby = open_lobby(tmp_path, git=False)
        data = await lobby.write_out(kept.name, ExportForm.WHOLE)
        async with CampaignArchive(lobby.store, lobby.shelf).book(kept.name) as book:
            secret = await book.secret()
        assert secret.hex() not in data.decode()
        await lobby.bring_in(data, "copy")
        archive = CampaignArchive(lobby.store, lobby.shelf)
        before = await describe(archive, folder)
        after = await describe(archive, tmp_path / "copy")
        for member in ("records", "marks", "branches"):
            assert after[member] == before[member]
        async with archive.book("copy") as book:
            own = await verify(book, secret=await book.secret())
            assert own.violations == ()
            assert own.checked.get("imported draws", 0) == own.checked["draws"]
            old = await verify(book, secret=secret)
            assert old.violations == ()
            assert old.checked.get("derived draws", 0) == old.checked["draws"]
        session = await opened(lobby.open("copy"))
        assert (await session.view()).head == before["branches"][list(before["branches"])[-1]]["head"]
        await session.close()

    asyncio.run(run())


def test_verify_says_which_dice_it_could_not_derive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = next(one for one in CAMPAIGNS if (one.place.name, one.name) == ("second", "lantern_scenes"))
    lay_out(kept, tmp_path)
    file, saves = tmp_path / "copy.jsonl", ("--saves", str(tmp_path))
    assert main(["saves", "export", kept.name, str(file), "--whole", *saves]) == 0
    assert main(["saves", "import", str(file), *saves]) == 0
    capsys.readouterr()
    # The engine that made it told the last turn in other words; nothing is wrong.
    assert main(["verify", "copy", "--reveal", *saves]) == 3
    said = " ".join(capsys.readouterr().out.split())
    assert "2 draws of imported turns were taken from the record, because a save does not include" in said


@pytest.mark.slow
@pytest.mark.parametrize(("place", "name"), sorted(ALTERED))
def test_an_altered_file_is_refused_or_does_no_harm(place: str, name: str, tmp_path: Path) -> None:
    kept = next(one for one in CAMPAIGNS if (one.place.name, one.name) == (place, name))
    lay_out(kept, tmp_path)
    rng = random.Random(f"{SEED} {name}")
    print(f"seed {SEED} {name}")

    async def run() -> Counter[str]:
        lobby = open_lobby(tmp_path, git=False)
        data = await lobby.write_out(kept.name, ExportForm.WHOLE)
        came: Counter[str] = Counter()
        for number in range(ALTERATIONS):
            altered, where = alter(data, rng)
            print(f"{number}: {where}")
            try:
                await lobby.bring_in(altered, f"copy-{number}")
            except TalewrightError:
                came["refused"] += 1
            else:
                came["taken"] += 1
                await look_at(lobby, f"copy-{number}")
        return came

    came = asyncio.run(run())
    assert came["refused"] > came["taken"]


def alter(data: bytes, rng: random.Random) -> tuple[bytes, str]:
    """The file with one place altered and its hash made right again, and where that place is."""
    first, *lines = data.splitlines()
    header = json.loads(first)
    number = rng.randrange(len(lines))
    form = json.loads(lines[number])
    *way, last = rng.choice([path for path in walk(form) if path])
    held: Any = form
    for step in way:
        held = held[step]
    if isinstance(held, dict) and rng.random() < 0.3:
        del held[last]
    else:
        held[last] = rng.choice(ODD)
    lines[number] = json.dumps(form, separators=(",", ":")).encode()
    header["chain"] = hash_records(lines[header["games"] :])
    altered = b"".join(line + b"\n" for line in (json.dumps(header).encode(), *lines))
    return altered, f"line {number + 2}, {[*way, last]}"


def walk(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything in a value."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in inner:
        yield from walk(part, (*path, name))


async def look_at(lobby: StoreLobby, name: str) -> None:
    """Everything that shows a campaign, and a step back."""
    for form in ExportForm:
        await lobby.write_out(name, form)
    async with CampaignArchive(lobby.store, lobby.shelf).book(name) as book:
        assert (await verify(book)).violations == ()
    await lobby.details(name)
    session = await opened(lobby.open(name, Viewer.AUTHOR))
    await session.view()
    await session.past.turns(50)
    for row in [row for row in await session.past.tree(every=True) if row.commit][-3:]:
        await session.past.inspect(row.commit)
    await session.close()
    session = await opened(lobby.open(name))
    view = await session.view()
    if view.version > 1:
        await session.undo()
    await session.close()
