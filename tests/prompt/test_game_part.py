"""The frozen part: what is told once, nothing of the moment, and what goes where it is too long."""

from dataclasses import replace

import pytest

from talewright.kernel.game import Game
from talewright.kernel.story.cards import Card, PromptWeight
from talewright.kernel.story.cast import GameItem, Lore, Person
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import Phase
from talewright.llm.token_estimate import estimate_tokens
from talewright.prompt.game_part import PRIVATE, find_summary, write_frozen
from talewright.prompt.token_budget import TokenBudget
from talewright.prompt.words.chinese import CHINESE
from talewright.prompt.words.english import ENGLISH
from tests.kernel.making import integer, make_game, make_layout, string
from tests.turn.stories import GAME

ROOM = TokenBudget(100_000)
LAYOUT = make_layout({"hp": integer(9), "fate": replace(string(), secret=True), "luck": integer()})
FULL: Game = replace(
    make_game(LAYOUT),
    tone="grim",
    content_rating="R",
    people=(Person("marn", "hall"), Person("ilse")),
    items=(GameItem("rope", ("long",)), GameItem("lamp")),
    cards=(
        Card("hp"),
        Card("fate"),
        Card("luck", prompt_weight=PromptWeight.HIDDEN),
        Card("gone"),
    ),
    lore=(
        Lore("late", constant=True, priority=20),
        Lore("early", constant=True, priority=10, budget=6),
        Lore("keyed"),
        Lore("grouped", constant=True, group="g"),
    ),
)
TEXTS = Texts(
    "en",
    {
        "title": "The Tower",
        "world": "A tower in the rain.",
        "variable.hp": "Health",
        "variable.hp.description": "What is left.",
        "variable.fate": "canary",
        "variable.luck": "canary",
        "variable.gone": "canary",
        "npc.marn.name": "Old Marn",
        "npc.marn.description": "Counts twice.",
        "npc.marn.voice": "Slow.",
        "npc.marn.secret": "Cannot swim.",
        "npc.ilse.name": "Ilse",
        "item.rope.name": "Rope",
        "item.rope.description": "Ten yards.",
        "item.lamp.name": "Lamp",
        "lore.late.text": "The stair\nhas a step too many.",
        "lore.early.text": "It has always rained here, and always will.",
        "lore.keyed.text": "canary",
        "lore.grouped.text": "canary",
        "dawn": "The sun is about to rise.",
    },
    {
        "rules.style_notes": ("Short sentences.",),
        "rules.boundaries": ("No gore.", "No songs."),
        "npc.marn.also": ("the keeper", "him"),
        "npc.marn.goals": ("To sleep.", "To be paid."),
    },
)


def names(game: Game, texts: Texts, budget: TokenBudget = ROOM) -> list[str]:
    return [section.name for section in write_frozen(game, texts, "Answer.", budget).sections]


def test_a_game_with_everything() -> None:
    fitted = write_frozen(FULL, TEXTS, "Answer in JSON.\n", ROOM, [Phase("one", "dawn"), Phase("two")])
    assert fitted.cuts == ()
    always = "\n".join(f"- {line}" for line in ENGLISH.always)
    assert fitted.text == "\n\n".join(
        [
            ENGLISH.role.format(title="The Tower"),
            f"Tone: grim\nContent rating: R. {ENGLISH.ratings['R']}\n{always}",
            "## Style\n- Short sentences.",
            "## Bounds of this story\n- No gore.\n- No songs.",
            ENGLISH.parts,
            "Answer in JSON.",
            "## What is going on now\nThe sun is about to rise.",
            "## What the state means\n- hp: Health - What is left.",
            "## The world\nA tower in the rain.",
            "## People\n- Old Marn (marn; also the keeper, him; found at hall): Counts twice. Slow. "
            "Secret: Cannot swim. Wants: To sleep; To be paid\n- Ilse (ilse)",
            "## Things\n- Rope (rope): Ten yards.\n- Lamp (lamp)",
            "## What is always true\n- It has always rained...\n- The stair has a step too many.",
        ]
    )
    assert "canary" not in fitted.text


def test_a_game_with_next_to_nothing() -> None:
    assert names(GAME, Texts("en", {"title": "A test"})) == ["role", "rules", "parts", "contract"]


@pytest.mark.parametrize(
    ("rating", "meaning"),
    [("PG-13", ENGLISH.ratings["PG-13"]), ("pg", ENGLISH.ratings["PG"]), ("18+", ENGLISH.other_rating)],
)
def test_what_a_rating_means(rating: str, meaning: str) -> None:
    text = write_frozen(replace(GAME, content_rating=rating), Texts("en"), "", ROOM).text
    assert f"Content rating: {rating}. {meaning}" in text


def test_in_chinese() -> None:
    text = write_frozen(FULL, replace(TEXTS, language="zh-CN"), "", ROOM).text
    assert text.startswith(CHINESE.role.format(title="The Tower"))
    assert f"内容分级：R。{CHINESE.ratings['R']}" in text
    assert "## 人物\n- Old Marn (marn; 又称 the keeper, him; 所在 hall)" in text


def test_the_same_bytes_for_the_same_game() -> None:
    assert write_frozen(FULL, TEXTS, "rules", ROOM) == write_frozen(replace(FULL), TEXTS, "rules", ROOM)


def test_a_long_world_is_given_as_its_summary() -> None:
    long = "# Harbour\n\n## Summary\n\nA harbour.\n\n### Still of it\nFog.\n\n## Places\n" + "A pier. " * 500
    texts = replace(TEXTS, entries={**TEXTS.entries, "world": long})
    assert "world" in names(FULL, texts)
    size = estimate_tokens(long)
    short = write_frozen(FULL, texts, "", TokenBudget(size * 4 - 4))
    assert "world.summary" in [section.name for section in short.sections]
    assert "## The world\nA harbour.\n\n### Still of it\nFog.\n\n## People" in short.text
    whole = write_frozen(FULL, texts, "", TokenBudget(size * 4))
    assert long.strip() in whole.text


def test_a_long_world_without_a_summary_is_clipped() -> None:
    texts = replace(TEXTS, entries={**TEXTS.entries, "world": "A pier. " * 5_000})
    fitted = write_frozen(FULL, texts, "", TokenBudget(8_000))
    (world,) = [section for section in fitted.sections if section.name == "world.summary"]
    assert 1_500 < world.tokens < 2_100


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("# A\n## Summary\nShort.\n## B\nLong.", "Short."),
        ("# SUMMARY\n\nShort.\n\n## Part\nof it\n# Next", "Short.\n\n## Part\nof it"),
        ("## 摘要\n\n短。\n\n## 地点\n长。", "短。"),
        ("## Summary of nothing\nLong.", ""),
        ("No heading", ""),
        ("# Summary", ""),
    ],
)
def test_the_authors_own_summary(text: str, summary: str) -> None:
    assert find_summary(text) == summary


def test_what_goes_first_where_there_is_no_room() -> None:
    fitted = write_frozen(FULL, TEXTS, "Answer.", TokenBudget(40))
    assert [cut.name for cut in fitted.cuts] == [
        "variables",
        "things.descriptions",
        "people.manners",
        "people.descriptions",
        "things",
        "always",
        "world",
    ]
    assert [section.name for section in fitted.sections] == ["role", "rules", "parts", "contract", "people"]
    # Names are all that stays of people: without them the story would have strangers.
    assert fitted.sections[-1].text == (
        "## People\n- Old Marn (marn; also the keeper, him; found at hall)\n- Ilse (ilse)"
    )


def test_a_phase_may_bring_words_of_its_own() -> None:
    phases = [Phase("one", "dawn", text="# The book\nBe fair.\n"), Phase("two", "dawn", opens=True)]
    fitted = write_frozen(FULL, TEXTS, "", ROOM, phases)
    words = f"{ENGLISH.phase}\n# The book\nBe fair.\nThe sun is about to rise."
    assert [section.text for section in fitted.sections if section.name == "phase"] == [words]
    closed = write_frozen(FULL, TEXTS, "", ROOM, [phases[0], replace(phases[1], opens=False)])
    assert closed == fitted


def test_a_rulebook_is_a_section_that_players_may_read() -> None:
    phases = [Phase("one", rulebook="# Rules\nRoll high.\n"), Phase("two", text="Be fair.")]
    fitted = write_frozen(FULL, TEXTS, "", ROOM, phases)
    assert [section.text for section in fitted.sections if section.name == "rulebook"] == [
        "# Rules\nRoll high."
    ]
    assert "rulebook" not in PRIVATE
    tight = write_frozen(FULL, TEXTS, "", TokenBudget(40), phases)
    assert "rulebook" not in [section.name for section in tight.sections]
