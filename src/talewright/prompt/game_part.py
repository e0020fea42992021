"""Game: the frozen part of a prompt, world and cast of the game, the same bytes in every turn.

It depends only on edition, language, phase and the model's room: it contains no state, no clock, no turn
number, and nothing secret.

If it is too long for its share, parts are dropped in this order: the meaning of variables, descriptions of
things, manners and wants of people, their descriptions, the things, what is always true, the rulebook of a
system, and finally the world text.
"""

import re
from collections.abc import Sequence

from talewright.common.language_tags import pick_words
from talewright.kernel.game import Game
from talewright.kernel.story.cards import PromptWeight
from talewright.kernel.story.cast import Person
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import Phase
from talewright.llm.token_estimate import estimate_tokens
from talewright.prompt.lore.lore_selection import list_always, word_entry
from talewright.prompt.token_budget import (
    BREAK,
    FittedSections,
    PromptSection,
    ShorteningStep,
    TokenBudget,
    clip,
    fit,
)
from talewright.prompt.words import PHRASES, SHORT_PHRASES
from talewright.prompt.words.phrases import Phrases

CONTRACT = "contract"
"""The section with the form of an answer."""

PRIVATE = frozenset({"role", "rules", "parts", CONTRACT, "phase"})
"""Sections written for the narrator only; the others hold what players may read.

The world is no secret: a narrator may use the author's own words for a place. Things players must not learn
belong in a person's `secret`, in lore with `reveal_when`, or in a hidden slot.
"""

_SUMMARY = re.compile(r"^(#+)[ \t]*(?:summary|摘要)[ \t]*$", re.IGNORECASE | re.MULTILINE)


def write_frozen(
    game: Game,
    texts: Texts,
    answer_rules: str,
    budget: TokenBudget,
    phases: Sequence[Phase] = (),
    *,
    renews: bool = False,
) -> FittedSections:
    """The rules of narration, how to answer, the world, its people and things.

    `phases` are the active phases; their texts change seldom, and then this whole part changes. `renews` says
    whether the narrator is told after a round of calls what has changed.
    """
    phrases = pick_words(texts.language, SHORT_PHRASES if budget.short else PHRASES)
    sections = [
        PromptSection("role", phrases.role.format(title=texts.get("title"))),
        _write_rules(game, texts, phrases, short=budget.short),
        PromptSection("parts", f"{phrases.parts}\n{phrases.changed}" if renews else phrases.parts),
        PromptSection(CONTRACT, answer_rules.strip()),
        PromptSection("phase", _under(phrases.phase, [_word_phase(phase, texts) for phase in phases])),
        PromptSection(
            "rulebook",
            BREAK.join(phase.rulebook.strip() for phase in phases if phase.rulebook),
            (ShorteningStep("rulebook", 65),),
        ),
        PromptSection(
            "variables", _write_variables(game, texts, phrases), (ShorteningStep("variables", 10),)
        ),
        _write_world(texts, phrases, budget),
        _write_people(game, texts, phrases, short=budget.short),
        _write_things(game, texts, phrases),
        PromptSection("always", _write_always(game, texts, phrases), (ShorteningStep("always", 60),)),
    ]
    return fit(sections, budget.frozen)


def _word_phase(phase: Phase, texts: Texts) -> str:
    return phase.text.strip() or (texts.get(phase.prompt) if phase.prompt else "")


def find_summary(text: str) -> str:
    """The author's own summary of a long text: the section under its heading `Summary`."""
    found = _SUMMARY.search(text)
    if found is None:
        return ""
    rest = text[found.end() :]
    after = re.search(rf"^#{{1,{len(found[1])}}}[ \t]", rest, re.MULTILINE)
    return rest[: after.start() if after else None].strip()


def _write_rules(game: Game, texts: Texts, phrases: Phrases, *, short: bool) -> PromptSection:
    rating = game.content_rating
    meaning = phrases.ratings.get(rating.upper(), phrases.other_rating)
    lines = [phrases.tone.format(tone=game.tone)] if game.tone else []
    lines += [phrases.rating.format(rating=rating, meaning=meaning), *_list(phrases.always)]
    told = "\n".join(lines)
    style = _under(phrases.style, _list(texts.several("rules.style_notes")))
    bounds = _under(phrases.boundaries, _list(texts.several("rules.boundaries")))
    whole = BREAK.join(filter(None, (told, style, bounds)))
    plain = BREAK.join(filter(None, (told, bounds)))
    return PromptSection("rules", whole, (ShorteningStep("style", 5, plain),) if short and style else ())


def _write_variables(game: Game, texts: Texts, phrases: Phrases) -> str:
    cards = [card for card in game.cards if card.prompt_weight is not PromptWeight.HIDDEN]
    lines = []
    for card in cards:
        slot = game.layout.roots.get(card.variable)
        label = texts.find(f"variable.{card.variable}")
        about = texts.find(f"variable.{card.variable}.description")
        if slot is not None and not slot.secret and (label or about):
            lines.append(f"- {card.variable}: " + " - ".join(filter(None, [label, about])))
    return _under(phrases.variables, lines)


def _write_world(texts: Texts, phrases: Phrases, budget: TokenBudget) -> PromptSection:
    """The whole world text if it fits its share, else the author's summary of it."""
    world = texts.find("world").strip()
    if estimate_tokens(world) <= budget.world:
        return PromptSection("world", _under(phrases.world, [world]), (ShorteningStep("world", 90),))
    short = clip(find_summary(world) or world, budget.world)
    return PromptSection("world.summary", _under(phrases.world, [short]), (ShorteningStep("world", 90),))


_MANNERS = ("description", "voice", "secret")


def _write_people(game: Game, texts: Texts, phrases: Phrases, *, short: bool) -> PromptSection:
    def list_all(*parts: str) -> list[str]:
        return [_write_person(person, texts, phrases, parts) for person in game.people]

    goals = [_write_goals(person, texts, phrases) for person in game.people]
    told = [line + more for line, more in zip(list_all(*_MANNERS), goals, strict=True)]
    steps: tuple[ShorteningStep, ...] = (
        ShorteningStep("people.manners", 30, _under(phrases.people, list_all("description", "secret"))),
        ShorteningStep("people.descriptions", 40, _under(phrases.people, list_all())),
    )
    if short:
        names = ", ".join(texts.get(f"npc.{person.id}.name") for person in game.people)
        steps += (ShorteningStep("people.places", 70, _under(phrases.people, [names])),)
    return PromptSection("people", _under(phrases.people, told), steps)


def _write_person(person: Person, texts: Texts, phrases: Phrases, parts: Sequence[str]) -> str:
    key = f"npc.{person.id}"
    about = [person.id]
    also = texts.several(f"{key}.also")
    about += [f"{phrases.also} {', '.join(also)}"] if also else []
    about += [f"{phrases.where} {person.where}"] if person.where else []
    words = []
    for part in parts:
        text = texts.find(f"{key}.{part}")
        if text:
            words.append(f"{phrases.secret}: {text}" if part == "secret" else text)
    return " ".join([f"- {texts.get(f'{key}.name')} ({'; '.join(about)})" + (":" if words else ""), *words])


def _write_goals(person: Person, texts: Texts, phrases: Phrases) -> str:
    goals = [goal.rstrip(".。") for goal in texts.several(f"npc.{person.id}.goals")]
    return f" {phrases.goals}: {'; '.join(goals)}" if goals else ""


def _write_things(game: Game, texts: Texts, phrases: Phrases) -> PromptSection:
    names = [f"- {texts.get(f'item.{item.id}.name')} ({item.id})" for item in game.items]
    about = [texts.find(f"item.{item.id}.description") for item in game.items]
    told = [f"{name}: {more}" if more else name for name, more in zip(names, about, strict=True)]
    steps = (
        ShorteningStep("things.descriptions", 20, _under(phrases.things, names)),
        ShorteningStep("things", 50),
    )
    return PromptSection("things", _under(phrases.things, told), steps)


def _write_always(game: Game, texts: Texts, phrases: Phrases) -> str:
    lines = [word_entry(entry, texts) for entry in list_always(game)]
    return _under(phrases.lore, _list(lines))


def _list(lines: Sequence[str]) -> list[str]:
    return [f"- {line}" for line in lines if line]


def _under(heading: str, lines: Sequence[str]) -> str:
    """Lines under their heading; empty if there are none."""
    told = [line for line in lines if line]
    return "\n".join([heading, *told]) if told else ""
