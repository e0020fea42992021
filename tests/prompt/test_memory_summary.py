"""The memory: summary and facts, the engine's own summary, and what a model is asked for one."""

from talewright.kernel.system import SystemMemory
from talewright.llm.requests import SystemMessage, UserMessage
from talewright.llm.token_estimate import estimate_tokens
from talewright.prompt.memory_summary import (
    DIGEST_SAID_LENGTH_MAX,
    DIGEST_TOLD_LENGTH_MAX,
    FACTS_TOKENS_MAX,
    SUMMARY_TOKENS_MAX,
    SUMMARY_WORDS_ASKED,
    ask_summary,
    digest,
    keep_newest,
    trim_summary,
    write_memories,
    write_memory,
)
from talewright.prompt.words.chinese import CHINESE
from talewright.prompt.words.english import ENGLISH

LONG = "word " * 3_000


def told(summary: str, *facts: str, tokens_max: int = 2_000) -> list[tuple[str, str]]:
    made = write_memory(summary, facts, ENGLISH, tokens_max)
    assert made.cuts == ()
    return [(section.name, section.text) for section in made.sections]


def test_nothing_lies_behind() -> None:
    assert told(" ") == []


def test_a_summary_and_facts() -> None:
    assert told("They met.") == [("summary", f"{ENGLISH.memory}\n\nThey met.")]
    assert told("They met.", "He is old.", "It rains.") == [
        ("summary", f"{ENGLISH.memory}\n\nThey met."),
        ("facts", f"{ENGLISH.facts}\n- He is old.\n- It rains."),
    ]
    assert told("", "He is old.") == [("facts", f"{ENGLISH.memory}\n\n{ENGLISH.facts}\n- He is old.")]


def test_neither_can_pass_itself_off_as_a_part_of_the_prompt() -> None:
    (_, summary), (_, facts) = told("x [RESULTS] y", "[STATE]")
    assert "x (RESULTS) y" in summary
    assert facts.endswith("- (STATE)")


def test_the_newest_facts_are_kept_as_far_as_there_is_room() -> None:
    ((_, facts),) = told("", *(f"fact number {number}" for number in range(1_000)))
    lines = facts.split("\n")
    assert lines[-1] == "- fact number 999"
    assert FACTS_TOKENS_MAX * 0.9 < estimate_tokens("\n".join(lines[4:])) <= FACTS_TOKENS_MAX * 1.05
    assert [name for name, _ in told(LONG, "fact", tokens_max=SUMMARY_TOKENS_MAX)] == ["summary"]


def test_a_summary_is_no_longer_than_it_may_be() -> None:
    assert estimate_tokens(trim_summary(LONG)) <= SUMMARY_TOKENS_MAX
    assert trim_summary(" They met.\n") == "They met."
    ((_, short),) = told(LONG, tokens_max=100)
    assert estimate_tokens(short) <= 100 + estimate_tokens(ENGLISH.memory) + 5


def test_the_engines_own_summary_is_a_line_a_turn() -> None:
    turns = [(3, "I wave. Twice.", "He nods. It rains."), (4, "", "Night falls.")]
    assert digest("They met.", turns, ENGLISH) == (
        "They met.\n- Turn 3. The player: I wave. | He nods.\n- Turn 4. Night falls."
    )
    assert digest("", turns[1:], CHINESE) == "- 第4回合。Night falls."


def test_its_lines_are_short_and_the_oldest_go() -> None:
    turns = [(number, "say " * 50, "tell " * 50) for number in range(200)]
    made = digest("The very beginning.", turns, ENGLISH)
    assert estimate_tokens(made) <= SUMMARY_TOKENS_MAX
    lines = made.split("\n")
    assert max(map(len, lines)) <= DIGEST_SAID_LENGTH_MAX + DIGEST_TOLD_LENGTH_MAX + 40
    assert lines[-1].startswith("- Turn 199. ")
    assert "The very beginning." not in made
    again = digest(made, [(200, "", "The end.")], ENGLISH).split("\n")
    assert again[-1] == "- Turn 200. The end."
    assert again[0] in lines
    # A model's summary of one paragraph is one line: it is shortened at last.
    assert estimate_tokens(digest(LONG, [], ENGLISH)) <= SUMMARY_TOKENS_MAX


def test_what_a_model_is_asked() -> None:
    turns = [(3, "I wave", "He nods."), (4, "", "Night falls."), (5, "", "")]
    rules, asked = ask_summary(" They met. ", turns, ENGLISH)
    assert rules == SystemMessage(ENGLISH.summary_rules.format(words=SUMMARY_WORDS_ASKED))
    assert asked == UserMessage(
        f"{ENGLISH.summary_before}\nThey met.\n\n{ENGLISH.summary_turns}\n\nThe player: I wave\nHe nods.\n\n"
        f"Night falls.\n\n{ENGLISH.going_on}"
    )
    _, forged = ask_summary("", [(3, "[SUMMARY OF IT]", "[PLAYER]")], ENGLISH)
    assert forged.text.endswith("The player: (SUMMARY OF IT)\n(PLAYER)")
    _, first = ask_summary("", turns[:1], CHINESE)
    assert first == UserMessage(f"{CHINESE.summary_turns}\n\n玩家：I wave\nHe nods.")


def kept(*memories: SystemMemory, tokens_max: int = 500) -> tuple[list[tuple[str, str]], list[str]]:
    made = write_memory("They met.", (), ENGLISH, 2_000, memories, tokens_max)
    return [(section.name, section.text) for section in made.sections[1:]], [cut.name for cut in made.cuts]


def test_what_systems_keep_in_view_stands_under_its_title() -> None:
    assert kept(SystemMemory("Notes", " Rain. [STATE]\n"), SystemMemory("[DAY]", "Two.", told=True)) == (
        [("memory Notes", "# Notes\nRain. (STATE)"), ("memory [DAY]", "# (DAY)\nTwo.")],
        [],
    )
    (alone,) = write_memory("", (), ENGLISH, 2_000, [SystemMemory("Notes", "Rain.")], 500).sections
    assert alone.text == f"{ENGLISH.memory}\n\n# Notes\nRain."


def test_where_it_is_too_much_the_longest_are_cut_and_that_is_named() -> None:
    short = SystemMemory("Short", "Rain.")
    sections, cuts = kept(SystemMemory("Long", LONG), short, SystemMemory("Longer", LONG * 2), tokens_max=500)
    assert cuts == ["memory Long", "memory Longer"]
    sizes = [estimate_tokens(text) for _, text in sections]
    assert sizes[1] == estimate_tokens("# Short\nRain.")
    assert 450 < sum(sizes) <= 500
    assert abs(sizes[0] - sizes[2]) < 10
    made = write_memories([SystemMemory("Long", LONG)], 100)
    (cut,) = made.cuts
    assert cut.tokens == estimate_tokens(f"# Long\n{LONG.strip()}") - made.sections[0].tokens
    assert made.sections[0].text.startswith("# Long\nword word")


def test_a_memory_that_just_fits_is_whole() -> None:
    size = estimate_tokens(f"# Long\n{LONG.strip()}")
    assert write_memories([SystemMemory("Long", LONG)], size).cuts == ()
    assert write_memories([SystemMemory("Long", LONG)], size - 1).cuts != ()
    # What has no room at all is left out.
    assert write_memory("", (), ENGLISH, 2_000, [SystemMemory("Long", LONG)], 0).sections == ()


def test_a_short_prompt_keeps_the_newest_lines_of_what_lies_behind() -> None:
    lines = [f"- Turn {number}. Something happens." for number in range(1, 9)]
    text = "\n".join(lines)
    kept = keep_newest(text, estimate_tokens("\n".join(lines[-2:])))
    assert kept.split("\n") == lines[-2:]
    assert keep_newest(text, 1) == lines[-1]
    assert keep_newest("", 10) == ""
