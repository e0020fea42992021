"""Forgeries of engine numbers, games and whole histories that agree with themselves."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from talewright.chronicle.records import Accepted, Attempt, Commit
from talewright.common.json_values import Json
from talewright.kernel.chance import Fate
from tests.play.verify.forgeries_of_dice import (
    HARBOR,
    LANTERN,
    MILLRACE,
    Finder,
    Forgery,
    die_changed_with_all_consequences,
    rolling,
    show,
    turn,
)
from tests.play.verify.forging import Forger


def engine_number_removed_from_one_turn(forger: Forger) -> None:
    place = turn(forger, 12)
    forger.alter(place, engine=None)
    forger.add_change(place, "/oil", 60)


def engine_number_removed_from_all_turns(forger: Forger) -> None:
    for place, one in enumerate(forger.records):
        if isinstance(one, Commit):
            forger.alter(place, engine=None)
    forger.add_change(turn(forger, 14), "/oil", 60)


def engine_number_from_the_future(forger: Forger) -> None:
    forger.alter(turn(forger, 14), engine=99)
    forger.add_change(turn(forger, 14), "/oil", 60)


def roll_changed_in_a_turn_without_engine_number(forger: Forger) -> None:
    for place, one in enumerate(forger.records):
        if isinstance(one, Commit):
            forger.alter(place, engine=None)
    show(forger, rolling(forger), text="2d6 (6, 6) + 1 = 13", total=13)


def copy_of_the_game_in_the_campaign_replaced(forger: Forger) -> None:
    (path,) = (forger.folder / "games").glob("*.json")
    form: Any = json.loads(path.read_bytes())["value"]
    forger.exchange_game(_alter_text(form, "Climb for it", "Fly for it"), path.stem)


def _alter_text(form: Any, old: str, new: str) -> Any:
    text = json.dumps(form, ensure_ascii=False)
    assert old in text
    return json.loads(text.replace(old, new))


# Histories that agree with themselves.


def another_choice_with_all_consequences(forger: Forger) -> None:
    """The last turn taken otherwise, and everything that follows from it."""
    place = forger.find(lambda commit: commit.branch == "camp-1")
    forger.input_of(place, {"kind": "choose", "choice": "together"})
    forger.remake(place)


def another_model_reply_with_all_consequences(forger: Forger) -> None:
    place = forger.find(lambda commit: commit.version == 5 and "exchanges" in commit.body)
    (exchange,) = forger.body(place)["exchanges"]
    answer = json.loads(exchange["text"])
    answer["state_updates"] = [{"op": "inc", "path": "gold", "value": 3, "reason": ""}]
    text = json.dumps(answer, ensure_ascii=False)
    forger.alter(place, exchanges=[{**exchange, "text": text}])
    forger.remake(place)


def fresh_dice_rerolled_until_lucky(forger: Forger) -> None:
    place = forger.find(lambda commit: commit.version == 4 and "draws" in commit.body)
    for number in range(1, 1_000):
        nonce = number.to_bytes(16)
        fate = Fate(forger.secret, 4, nonce)
        if [fate.draw(6), fate.draw(6)] == [6, 6]:
            break
    forger.alter(place, nonce=nonce.hex())
    forger.remake(place)


def different_secret_from_the_start(forger: Forger) -> None:
    """A secret tried until the roll is 6 and 6, and every turn with dice played again with it."""
    for number in range(10_000):
        secret = number.to_bytes(32)
        fate = Fate(secret, 11)
        if [fate.draw(6), fate.draw(6)] == [6, 6]:
            break
    forger.exchange_secret(secret)
    forger.remake(rolling(forger))


def reason_of_a_change_altered(forger: Forger) -> None:
    place = turn(forger, 11)
    first, *others = forger.body(place)["changes"]
    forger.alter(place, changes=[{**first, "reason": "by magic"}, *others])


def time_of_a_turn_altered(forger: Forger) -> None:
    place = turn(forger, 12)
    one = forger.records[place]
    assert isinstance(one, Commit)
    forger.records[place] = replace(one, at="2020-01-01T00:00:00Z")


def last_turns_removed(forger: Forger) -> None:
    del forger.records[forger.find(lambda commit: commit.branch == "camp-1") - 1 :]


def unlucky_undone_turn_removed(forger: Forger) -> None:
    """A turn that was taken back and taken again: nothing points at it any more."""
    commits = [n for n, one in enumerate(forger.records) if isinstance(one, Commit)]
    gone = next(n for n in commits if _version(forger, n) == 4)
    also = next(n for n in commits if _version(forger, n) == 5)
    operations = {getattr(forger.records[n], "operation_id", "") for n in (gone, also)}
    ids = {getattr(forger.records[n], "id", "") for n in (gone, also)}
    kept = []
    for one in forger.records:
        if isinstance(one, Accepted | Commit | Attempt) and one.operation_id in operations:
            continue
        kept.append(one)
    forger.records[:] = kept
    sequence = 0
    for place, one in enumerate(forger.records):
        if isinstance(one, Commit):
            forger.records[place] = replace(one, sequence=sequence)
            sequence += 1
    assert not ids & {getattr(one, "parent", "") for one in forger.records}


def _version(forger: Forger, place: int) -> int:
    one = forger.records[place]
    return one.version if isinstance(one, Commit) else -1


def altered_start_disguised_as_an_import(forger: Forger) -> None:
    """A first state of one's own, said to be from a save game. What follows is played again."""
    root: Mapping[str, Any] = forger.body(0)["root"]
    document = {**root["document"], "coins": 12}
    imported: Json = {"cause": "import", "turn_index": 0, "history": []}
    forger.alter(0, root={**root, "document": document, "imported": imported})
    forger.remake(*(n for n, one in enumerate(forger.records) if isinstance(one, Commit) and n))


# Dice that are said to follow from another secret.


def forge_die_under(forger: Forger, commitment: str | None, *earlier: Json) -> None:
    """A better die with all its consequences, in a campaign that claims these commitments."""
    root: Mapping[str, Any] = forger.body(0)["root"]
    die_changed_with_all_consequences(forger)
    forger.alter(0, root={**root, "commitment": commitment or root["commitment"], "earlier": list(earlier)})


def claim(committed: str, through: int) -> Json:
    """The commitment of dice that are said to be imported."""
    return {"commitment": committed, "through": through, "at": "2026-01-01T00:00:00Z"}


def last_sequence(forger: Forger) -> int:
    """The counter of the last turn."""
    return max(one.sequence for one in forger.records if isinstance(one, Commit))


def dice_claimed_to_be_imported_in_the_future(forger: Forger) -> None:
    forge_die_under(forger, None, claim("0" * 64, last_sequence(forger) + 1))


def dice_claimed_to_be_imported(forger: Forger) -> None:
    forge_die_under(forger, None, claim("0" * 64, last_sequence(forger)))


def imported_dice_claimed_out_of_order(forger: Forger) -> None:
    forge_die_under(forger, None, claim("0" * 64, last_sequence(forger)), claim("1" * 64, 3))


def own_secret_claimed_to_be_an_earlier_one(forger: Forger) -> None:
    """The secret that everyone knows counts for the first record alone; the rest is said to be another's."""
    forge_die_under(forger, "0" * 64, claim(forger.body(0)["root"]["commitment"], 0))


OF_WHOLE_HISTORIES = (
    Forgery(LANTERN, dice_claimed_to_be_imported_in_the_future),
    Forgery(LANTERN, imported_dice_claimed_out_of_order),
    Forgery(LANTERN, engine_number_removed_from_one_turn),
    Forgery(LANTERN, copy_of_the_game_in_the_campaign_replaced),
    Forgery(LANTERN, roll_changed_in_a_turn_without_engine_number),
    Forgery(LANTERN, dice_claimed_to_be_imported, Finder.NAMED),
    Forgery(LANTERN, own_secret_claimed_to_be_an_earlier_one, Finder.NAMED),
    Forgery(LANTERN, engine_number_removed_from_all_turns, Finder.NAMED),
    Forgery(LANTERN, engine_number_from_the_future, Finder.NAMED),
    Forgery(LANTERN, reason_of_a_change_altered, Finder.NAMED),
    Forgery(MILLRACE, altered_start_disguised_as_an_import, Finder.NAMED),
    Forgery(LANTERN, another_choice_with_all_consequences, Finder.RECEIPT),
    Forgery(HARBOR, another_model_reply_with_all_consequences, Finder.RECEIPT),
    Forgery(MILLRACE, fresh_dice_rerolled_until_lucky, Finder.RECEIPT),
    Forgery(LANTERN, different_secret_from_the_start, Finder.RECEIPT),
    Forgery(LANTERN, time_of_a_turn_altered, Finder.RECEIPT),
    Forgery(LANTERN, last_turns_removed, Finder.RECEIPT),
    Forgery(LANTERN, unlucky_undone_turn_removed, Finder.RECEIPT),
)
