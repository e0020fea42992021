"""Lookups: what a player asks about the story without taking a turn.

Blocks of lines come out; nothing is written and nothing changes.
"""

from talewright.faces.plain.languages import SPOKEN, name_of
from talewright.faces.plain.screens import Block, show_past, show_provenance
from talewright.faces.plain.words import Words
from talewright.play.session import Session


async def tell_history(session: Session, turns: int, words: Words) -> list[Block]:
    """The last turns, newest last."""
    past = await session.past.turns(turns)
    return [block for turn in past for block in show_past(turn, words)] or [[words.no_history]]


async def tell_why(session: Session, name: str, words: Words) -> list[Block]:
    """What set a variable; without a name, what can be asked about."""
    found = await session.past.why(name) if name else ()
    if found:
        return show_provenance(found, words)
    missing = [words.no_such_variable.format(name=name)] if name else []
    view = await session.view()
    labels = dict.fromkeys([item.label for item in view.status] + [card.label for card in view.cards])
    return [[*missing, words.why_what.format(names=words.join.join(labels)) if labels else words.no_cards]]


async def tell_marks(session: Session, missing: str, words: Words) -> list[Block]:
    """The named places there are, after one that there is not."""
    marks = (await session.view()).marks
    told = [words.no_such_save.format(name=missing)] if missing else []
    names = words.saves.format(names=words.join.join(marks)) if marks else words.no_saves
    return [[*told, names]]


async def tell_language(session: Session, wrong: str, words: Words) -> list[Block]:
    """Which languages are spoken, by the story and by the face."""
    codes = [spoken.language for spoken in SPOKEN]
    if wrong:
        return [[words.no_such_language.format(codes=words.join.join(codes))]]
    view = await session.view()
    story = words.retold_in.format(story=name_of(view.language), campaign=view.campaign)
    return [[words.told_in.format(face=words.name, codes=" | ".join(codes)), story]]
