"""Whole saves: a campaign and its past in a file and back, its dice new; what is no such file is refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from talewright.chronicle.records import AttemptVerdict, Commit, PointerKind, Record
from talewright.chronicle.store import BlobKind, CampaignBook, DamagedError
from talewright.kernel.chance import commitment
from talewright.play.export import whole_save
from talewright.play.export.campaign_story import tell_story
from talewright.play.export.save_game import SaveGameError
from talewright.play.export.whole_save import (
    WholeSave,
    export_whole,
    hash_records,
    import_whole,
    is_whole,
    parse_whole,
)
from talewright.play.history.campaign_history import read_history
from talewright.play.lobby import ExportForm
from talewright.play.playable_games import PinnedGames
from talewright.play.session import ResultKind
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.dice_commitments import read_commitments
from talewright.play.verify.turn_proof import TurnStanding
from talewright.stores.memory_store import MemoryStore
from tests.play.history.campaigns import SECRET, Clock, Scribe
from tests.play.history.tiny import EDITIONS, HIDDEN, begin_tiny, gain, pack, pay, run, take
from tests.play.making import make_lobby
from tests.play.scenes import room

NEW = b"another secret"


async def played() -> Scribe:
    """Turns on two branches with a roll, a failed try and a mark."""
    scribe = await begin_tiny()
    first = await take(scribe, "walk", gain(5), pay(2))
    document = scribe.position.state.document
    await take(scribe, "roll", pack("lamp"), roll=True)
    await scribe.mark("camp")
    await scribe.fork(first, "other", document)
    await scribe.fail(AttemptVerdict.FAILED)
    await take(scribe, "sing", gain(1), roll=True)
    return scribe


async def bring_in(data: bytes, store: MemoryStore | None = None, campaign: str = "copy") -> CampaignBook:
    save = parse_whole(data)
    clock = Clock(prefix="new")
    return await import_whole(
        store or MemoryStore(), EDITIONS, save, campaign=campaign, secret=NEW, now=clock.now
    )


async def list_records(book: CampaignBook) -> list[Record]:
    return [record async for record in book.records()]


def rebuilt(data: bytes, alter: Callable[[list[Any]], object]) -> bytes:
    """The file with its lines altered and its hash made right again, as a stranger might."""
    lines = [json.loads(line) for line in data.decode().splitlines()]
    alter(lines)
    header, *rest = lines
    spelled = [json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() for line in rest]
    header["chain"] = hash_records(spelled[header["games"] :])
    return b"".join(line + b"\n" for line in (json.dumps(header).encode(), *spelled))


def test_everything_but_the_secret_is_in_the_file() -> None:
    async def go() -> None:
        scribe = await played()
        data = await export_whole(scribe.book)
        header = json.loads(data.splitlines()[0])
        chain = await scribe.book.chain()
        assert header == {
            "whole_save": 1,
            "format": 2,
            "games": 1,
            "records": chain.length,
            "chain": chain.hash,
        }
        assert is_whole(data)
        assert parse_whole(data).records == tuple(await list_records(scribe.book))
        text = data.decode()
        # It is the owner's: hidden things are in it.
        assert HIDDEN in text
        assert SECRET.hex() not in text

    run(go())


def test_an_imported_past_can_be_read_walked_and_verified() -> None:
    async def go() -> None:
        scribe = await played()
        book = await bring_in(await export_whole(scribe.book))
        before, after = await read_history(scribe.book), await read_history(book)
        assert (after.branches, after.marks) == (before.branches, before.marks)
        assert list(after.commits) == list(before.commits)
        assert (await list_records(book))[1:] == (await list_records(scribe.book))[1:]
        stories = [
            replace(await tell_story(PinnedGames(one, EDITIONS), history), campaign="")
            for one, history in ((scribe.book, before), (book, after))
        ]
        assert stories[0] == stories[1]
        report = await verify(book, secret=await book.secret())
        assert report.violations == ()
        assert (report.checked["draws"], report.checked["imported draws"]) == (2, 2)
        # Whoever still has the old secret can derive the old dice.
        assert (await verify(book, secret=SECRET)).checked["derived draws"] == 2

    run(go())


def test_new_dice_begin_under_a_new_commitment() -> None:
    async def go() -> None:
        scribe = await played()
        book = await bring_in(await export_whole(scribe.book))
        assert await book.secret() == NEW
        root = await anext(aiter(book.records()))
        assert isinstance(root, Commit)
        commitments = read_commitments(root)
        assert commitments.own == commitment(NEW)
        assert [(one.commitment, one.through) for one in commitments.earlier] == [(commitment(SECRET), 3)]
        head = await book.read((await book.look()).head)
        scribe.book, scribe.head, scribe.secret = book, head, NEW
        await scribe.catch_up(head)
        turn = await take(scribe, "throw", gain(1))
        assert turn.sequence == 4
        # An import of an import knows both of the earlier secrets.
        again = await bring_in(await export_whole(book), campaign="third")
        root = await anext(aiter(again.records()))
        assert isinstance(root, Commit)
        assert [one.through for one in read_commitments(root).earlier] == [3, 4]
        assert (await verify(again)).good

    run(go())


def test_a_session_goes_on_from_it_and_walks_back() -> None:
    async def go() -> None:
        lobby = make_lobby(room())
        session = await lobby.begin("test", "en")
        await session.choose("wait")
        await session.choose("fight")
        await session.close()
        data = await lobby.write_out("test-1", ExportForm.WHOLE)
        other = make_lobby(room())
        # A lobby that has never heard of the campaign, with dice of its own.
        other = replace(other, new_secret=lambda: NEW)
        assert await other.bring_in(data, file_name="My Game.jsonl") == "my_game"
        session = await other.open("my_game")
        view = await session.view()
        assert view.version == 3
        assert [turn.said for turn in await session.past.turns()] == ["", "Wait", "Fight"]
        assert len(await session.past.tree(every=True)) >= 3
        assert (await session.undo()).version == 2
        assert (await session.choose("fight")).kind is ResultKind.COMMITTED
        await session.fork((await session.past.turns(1))[0].commit, "what-if")
        assert (await session.view()).branch == "what-if"
        await session.close()
        book = await other.store.open("my_game")
        report = await verify(book, editions=other.shelf, secret=NEW)
        assert report.violations == ()
        # Turns of the past are played again with the dice that are recorded, new ones with the new secret.
        (believed,) = report.folded
        assert believed.version == 3
        assert believed.verdict.why.endswith("because the record says that they follow from another secret")
        assert report.count(TurnStanding.PROVEN) == len(report.turns) - 1
        assert report.checked["derived draws"] + report.checked["imported draws"] == report.checked["draws"]
        assert report.checked["derived draws"] > 0

    run(go())


def header(**members: object) -> bytes:
    return json.dumps(
        {"whole_save": 1, "format": 2, "games": 0, "records": 1, "chain": "", **members}
    ).encode()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (header(whole_save=2) + b"\n", "the file was written by a newer version of Talewright"),
        (header(format=3) + b"\n", "the file was written by a newer version of Talewright"),
        (header(whole_save="1") + b"\n", "the first line of the file has no number 'whole_save'"),
        (header(games=-1) + b"\n", "the first line of the file has no number 'games'"),
        (header(records=True) + b"\n", "the first line of the file has no number 'records'"),
        (header(records=0) + b"\n", "the file does not have the expected 0 lines"),
        (header(), "the file does not have the expected 1 lines"),
        (header() + b"\n{}", "the file does not have the expected 1 lines"),
        (header() + b"\n{}\n{}\n", "the file does not have the expected 1 lines"),
        (header() + b"\n{}\n", "the records in the file have been changed"),
        (
            header(chain=hash_records([b"{}"])) + b"\n{}\n",
            "record 1 of the file cannot be read: None",
        ),
        (header(chain=hash_records([b"["])) + b"\n[\n", "record 1 of the file cannot be read: "),
        (
            header(games=1, chain=hash_records([b"{}"])) + b"\n[]\n{}\n",
            "record 1 of the file cannot be read",
        ),
        (b" " * 2_000, "the first line of the file has no number 'whole_save'"),
    ],
)
def test_what_is_no_whole_save_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(SaveGameError) as caught:
        parse_whole(data)
    assert caught.value.message.startswith(message)
    assert caught.value.hint


def test_a_game_that_cannot_be_read_is_refused() -> None:
    data = run(exported())
    first, _, *rest = data.splitlines(keepends=True)
    for line in (b"[]\n", b'{"digest": 1, "game": {}}\n', b'{"digest": "a", "game": {}, "x": 1}\n'):
        with pytest.raises(SaveGameError, match="a game in the file cannot be read"):
            parse_whole(b"".join([first, line, *rest]))
    with pytest.raises(SaveGameError, match="a game in the file cannot be stored"):
        parse_whole(b"".join([first, b'{"digest": "a", "game": "\\ud800"}\n', *rest]))


async def exported() -> bytes:
    return await export_whole((await played()).book)


@pytest.mark.parametrize("value", ['"\\ud800"', "1e999"])
def test_what_no_campaign_can_keep_is_refused(value: str) -> None:
    line = b'{"kind":"aside","id":"a","commit":"c","at":"","body":{"x":%b}}' % value.encode()
    with pytest.raises(SaveGameError, match="record 1 of the file cannot be read"):
        parse_whole(header(chain=hash_records([line])) + b"\n" + line + b"\n")


def test_sizes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    data = run(exported())
    monkeypatch.setattr(whole_save, "RECORD_BYTES_MAX", 100)
    with pytest.raises(SaveGameError, match="record 1 of the file is too large"):
        parse_whole(data)
    monkeypatch.setattr(whole_save, "WHOLE_SAVE_BYTES_MAX", len(data) - 1)
    with pytest.raises(SaveGameError, match="the file is larger than 0 MB"):
        parse_whole(data)
    with pytest.raises(SaveGameError, match="could not be imported again"):
        run(exported())


def test_a_file_that_lost_its_end_is_refused() -> None:
    data = run(exported())
    for end in (len(data) - 1, len(data) // 2):
        with pytest.raises(SaveGameError):
            parse_whole(data[:end])


def test_a_campaign_without_its_game_is_not_exported() -> None:
    async def go() -> None:
        scribe = await played()
        await scribe.book.keep(BlobKind.GAME, scribe.head.game_digest, None)
        with pytest.raises(DamagedError, match="is missing from it"):
            await export_whole(scribe.book)

    run(go())


def test_a_name_that_is_taken_is_refused_and_nothing_is_written() -> None:
    async def go() -> None:
        data, store = await exported(), MemoryStore()
        await bring_in(data, store)
        with pytest.raises(Exception, match="a campaign named 'copy' already exists"):
            await bring_in(data, store)
        assert len(await store.campaigns()) == 1

    run(go())


def test_records_of_an_older_format_are_brought_up() -> None:
    data = run(exported())

    def alter(lines: list[Any]) -> None:
        lines[0]["format"] = 1
        del lines[2]["body"]["format"]

    save = parse_whole(rebuilt(data, alter))
    assert isinstance(save, WholeSave)
    book = run(bring_in(rebuilt(data, alter)))
    root = run(list_records(book))[0]
    assert isinstance(root, Commit)
    assert root.body["format"] == 2
    assert any(getattr(record, "kind", None) is PointerKind.MARK for record in save.records)
