"""Save games: what is written, what is read again, and which path a wrong file is refused by."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from talewright.common.json_values import Json
from talewright.kernel.chance import commitment
from talewright.kernel.conditions.conditions import parse_expression
from talewright.kernel.game import DerivedSlot
from talewright.kernel.judging.moves import Op, Update
from talewright.play.export.campaign_story import tell_story
from talewright.play.export.import_limits import SAVE_BYTES_MAX
from talewright.play.export.save_game import (
    SaveGame,
    SaveGameError,
    export_save,
    fit_state,
    import_save,
    parse_save,
)
from talewright.play.history.campaign_history import read_history
from talewright.play.playable_games import PinnedGames
from talewright.play.verify.campaign_verification import verify
from talewright.stores.memory_store import MemoryStore
from tests.kernel.making import integer, make_layout, record
from tests.play.history.campaigns import SECRET, Clock, Scribe, mist_harbor
from tests.play.history.tiny import DEEP, EDITIONS, HIDDEN, TINY, begin_tiny, gain, pack, pay, run, take


async def exported() -> tuple[Scribe, dict[str, Json]]:
    scribe = await begin_tiny()
    await take(scribe, "walk", gain(5), pay(2))
    await take(scribe, "pack", pack("lamp"), Update(Op.SET, "time", {"hour": 9, "minute": 5}))
    save = await export_save(scribe.book, PinnedGames(scribe.book, EDITIONS), await read_history(scribe.book))
    return scribe, save


def test_save_has_the_members_of_the_seed() -> None:
    scribe, save = run(exported())
    assert list(save)[:8] == [
        "save_version",
        "game_id",
        "game_content_version",
        "timestamp",
        "turn_index",
        "state",
        "history",
        "memory_summary",
    ]
    assert save["save_version"] == 1
    assert (save["game_id"], save["game_content_version"]) == ("tiny", "1.2.0")
    assert (save["turn_index"], save["language"], save["memory_summary"]) == (2, "en", "")
    assert save["state"] == scribe.position.state.document
    assert save["timestamp"] == scribe.head.at
    history: Any = save["history"]
    assert [list(turn) for turn in history] == [
        ["player_input", "narrative", "choices", "applied_updates", "events", "rolls"]
    ] * 2
    assert history[0]["player_input"] == "walk"
    assert history[0]["narrative"] == "You walk."
    assert history[0]["choices"][0]["label"] == "Go on"
    assert [update["reason"] for update in history[0]["applied_updates"]] == ["", "the toll"]
    assert history[0]["events"] == [{"type": "info", "text": "A bell rings.", "cause": "trigger:bell"}]


def test_save_is_the_owners_but_holds_no_secret_of_chance() -> None:
    _, save = run(exported())
    text = json.dumps(save)
    assert HIDDEN in text
    assert DEEP in text
    assert SECRET.hex() not in text
    assert commitment(SECRET) not in text


def test_import_begins_where_the_save_stands() -> None:
    async def go() -> None:
        scribe, save = await exported()
        store, clock = MemoryStore(), Clock(prefix="new")
        book = await import_save(
            store,
            TINY,
            parse_save(json.dumps(save).encode()),
            campaign="again",
            secret=b"other",
            now=clock.now,
            new_id=clock.new_id,
        )
        history = await read_history(book)
        assert history.head.version == 0
        assert history.head.state_digest == scribe.position.state.digest
        root: Any = history.head.body["root"]
        assert root["imported"]["cause"] == "import"
        assert root["imported"]["turn_index"] == 2
        assert (await verify(book, secret=b"other")).good
        games = PinnedGames(book, EDITIONS)
        again = await export_save(book, games, history)
        # The earlier turns come along, in the file and in the story.
        assert {**again, "timestamp": ""} == {**save, "timestamp": ""}
        told = await tell_story(games, history)
        assert [passage.said for passage in told.passages] == ["walk", "pack"]

    run(go())


def test_dice_and_events_come_along() -> None:
    async def go() -> None:
        scribe = await begin_tiny()
        await take(scribe, "walk", gain(5), roll=True)
        games, clock = PinnedGames(scribe.book, EDITIONS), Clock(prefix="new")
        history = await read_history(scribe.book)
        raw: Any = await export_save(scribe.book, games, history)
        # A line that corrected the storyteller, and what another program might write.
        raw["history"][0]["events"] += [{"type": "mechanics.note", "text": HIDDEN}, {"type": 1}, 2]
        raw["history"] += [{"player_input": "wait", "rolls": 3, "events": {}}]
        save = parse_save(json.dumps(raw).encode())
        book = await import_save(
            MemoryStore(),
            TINY,
            save,
            campaign="again",
            secret=b"other",
            now=clock.now,
            new_id=clock.new_id,
        )
        before = await tell_story(games, history)
        told = await tell_story(PinnedGames(book, EDITIONS), await read_history(book))
        assert told.passages[:-1] == before.passages
        assert told.passages[0].dice
        assert told.passages[0].events == ("A bell rings.",)
        assert (told.passages[1].said, told.passages[1].dice) == ("wait", ())

    run(go())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff", "the file is not JSON in UTF-8: "),
        (b"{", "the file is not JSON in UTF-8: "),
        (b"NaN", "the file is not JSON in UTF-8: NaN is not valid JSON"),
        (b"[" * 100_000, "the file is not JSON in UTF-8: "),
        (b"[]", "the file is not a save game: it is not a JSON object"),
        (b"{}", "save_version must be a whole number"),
        (b'{"save_version": true}', "save_version must be a whole number"),
        (b'{"save_version": 2}', "save_version is 2; this program reads up to 1"),
        (b'{"save_version": 1}', "game_id must be a text"),
        (b'{"save_version": 1, "game_id": "tiny"}', "state must be an object"),
        (b'{"save_version": 1, "game_id": "tiny", "state": []}', "state must be an object"),
        (
            b'{"save_version": 1, "game_id": "tiny", "state": {}, "history": {}}',
            "history must be a list",
        ),
        (
            b'{"save_version": 1, "game_id": "tiny", "state": {}, "history": [1]}',
            "history.0 must be an object",
        ),
        (
            b'{"save_version": 1, "game_id": "tiny", "state": {}, "history": [{}, {"narrative": 1}]}',
            "history.1.narrative must be a text",
        ),
        (b" " * (SAVE_BYTES_MAX + 1), "the file is larger than 32 MB"),
        (
            b'{"save_version": 1, "game_id": "tiny", "state": {}, "history": [{"narrative": "\\ud800"}]}',
            "the file contains a value that cannot be stored: ",
        ),
        (
            b'{"save_version": 1, "game_id": "tiny", "state": {}, "history": [{"at": 1e999}]}',
            "the file contains a value that cannot be stored: ",
        ),
    ],
)
def test_file_that_is_no_save_game(data: bytes, message: str) -> None:
    with pytest.raises(SaveGameError) as caught:
        parse_save(data)
    assert caught.value.message.startswith(message)
    assert caught.value.hint


def test_least_save_takes_first_values() -> None:
    save = parse_save(b'\xef\xbb\xbf{"save_version": 1, "game_id": "tiny", "state": {"gold": 3.0}}')
    assert save == SaveGame("tiny", "", "", 0, {"gold": 3.0})
    document = fit_state(TINY.game, save.state)
    assert document == {**TINY.game.initial, "gold": 3}


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        ({"silver": 1}, "silver: the game has no such variable"),
        ({"gold": 101}, "gold: 101 does not fit; it is a whole number from 0 to 100"),
        ({"gold": "many"}, "gold: gold is a whole number from 0 to 100, not 'many'"),
        ({"gold": None}, "gold: gold cannot be null; it is a whole number from 0 to 100"),
        ({"bag": ["rope", 7]}, "bag: bag.1 is a text of at most 2000 characters, not 7"),
        ({"time": {"hour": 31}}, "time.hour: 31 does not fit; it is a whole number from 0 to 30"),
        ({"time": {"day": 1}}, "time: time has no member 'day'; it has hour, minute"),
        ({"_engine": {"scene": "attic"}}, "_engine.scene: the game has no scene 'attic'"),
        ({"_engine": {"finale": "attic"}}, "_engine.finale: the game has no finale 'attic'"),
        ({"_engine": {"ending": "attic"}}, "_engine.ending: the game has no ending 'attic'"),
    ],
)
def test_state_that_does_not_fit_is_named_by_its_path(state: Mapping[str, Json], fault: str) -> None:
    with pytest.raises(SaveGameError) as caught:
        fit_state(TINY.game, state)
    assert caught.value.message == f"the state does not fit the game:\n  {fault}"


def test_all_faults_are_told_at_once_up_to_a_limit() -> None:
    with pytest.raises(SaveGameError) as caught:
        fit_state(TINY.game, {f"x{number}": 1 for number in range(23)})
    lines = caught.value.message.splitlines()
    assert len(lines) == 22
    assert lines[-1] == "  and 3 more"


def test_open_decisions_are_closed_and_the_summary_is_kept() -> None:
    memory = {"decisions": {"d1": {"tool": "x", "arguments": "{}"}}}
    document = fit_state(TINY.game, {"_engine": memory}, "Before, it rained.")
    engine: Any = document["_engine"]
    assert engine["decisions"] == {}
    assert engine["summary"] == "Before, it rained."


def test_summary_that_is_too_long_is_refused() -> None:
    with pytest.raises(SaveGameError) as caught:
        fit_state(TINY.game, {}, "x" * 20_001)
    assert "memory_summary: _engine.summary is a text of at most 20000 characters" in caught.value.message


def test_derived_slots_are_computed_again() -> None:
    layout = make_layout(
        {
            "gold": integer(1, 0, 100),
            "worth": record(double=integer(0, derived="gold * 2"), all=integer(3)),
            "half": integer(0, derived="gold / 2"),
        }
    )
    derived = (
        DerivedSlot(("worth", "double"), parse_expression("gold * 2", layout)),
        DerivedSlot(("half",), parse_expression("gold / 2", layout)),
    )
    game = replace(TINY.game, layout=layout, derived=derived, initial=layout.defaults())
    document = fit_state(game, {"gold": 20, "half": 3, "worth": {"double": 7, "all": 4}})
    assert document["worth"] == {"double": 40, "all": 4}
    assert document["half"] == 10


def test_game_of_another_name_is_refused() -> None:
    save = SaveGame("other", "1", "", 0, {})
    clock = Clock()
    with pytest.raises(SaveGameError) as caught:
        run(
            import_save(
                MemoryStore(),
                TINY,
                save,
                campaign="x",
                secret=SECRET,
                now=clock.now,
                new_id=clock.new_id,
            )
        )
    assert caught.value.message == "the save game belongs to 'other', not to 'tiny'"


def test_shipped_game_fits_its_own_first_state() -> None:
    game = mist_harbor().game
    assert fit_state(game, game.initial) == game.initial


@pytest.mark.parametrize("turn", [-5, -1, 2**70, 1_000_000_001])
def test_a_turn_that_no_campaign_has_is_refused(turn: int) -> None:
    _, save = run(exported())
    with pytest.raises(SaveGameError, match="turn_index must be a whole number from 0"):
        parse_save(json.dumps({**save, "turn_index": turn}).encode())


@pytest.mark.parametrize(
    ("ending", "outcome"), [("", "victory"), ("", "success"), ("saved", ""), ("saved", "no outcome")]
)
def test_an_outcome_needs_its_ending(ending: str, outcome: str) -> None:
    game = mist_harbor().game
    last = game.endings[0]
    assert fit_state(game, {"_engine": {"ending": last.id, "outcome": last.kind.value}})
    with pytest.raises(SaveGameError, match=r"_engine\.outcome: "):
        fit_state(game, {"_engine": {"ending": ending and last.id, "outcome": outcome}})
