"""Sections: what is left out first where there is not room for all."""

from talewright.llm.token_estimate import estimate_tokens
from talewright.prompt.token_budget import PromptSection, SectionCut, ShorteningStep, fit

WORDS = "a word and another word. " * 10
SIZE = estimate_tokens(WORDS)


def words(name: str, *steps: ShorteningStep) -> PromptSection:
    return PromptSection(name, WORDS, steps)


def test_what_fits_stays_and_what_is_empty_goes() -> None:
    fitted = fit([words("a"), PromptSection("b", ""), words("c", ShorteningStep("c", 1))], 2 * SIZE)
    assert [section.name for section in fitted.sections] == ["a", "c"]
    assert fitted.cuts == ()
    assert fitted.text == f"{WORDS}\n\n{WORDS}"
    assert fitted.sections[0].tokens == SIZE


def test_the_least_weight_goes_first_and_no_more_than_must() -> None:
    sections = [
        words("a", ShorteningStep("a", 30)),
        words("b", ShorteningStep("b", 10)),
        words("c", ShorteningStep("c", 20)),
        words("d"),
    ]
    assert fit(sections, 4 * SIZE - 1).cuts == (SectionCut("b", SIZE),)
    fitted = fit(sections, 2 * SIZE)
    assert fitted.cuts == (SectionCut("b", SIZE), SectionCut("c", SIZE))
    assert [section.name for section in fitted.sections] == ["a", "d"]


def test_of_equal_weights_the_later_one_goes_first() -> None:
    fitted = fit([words("a", ShorteningStep("a", 10)), words("b", ShorteningStep("b", 10))], SIZE)
    assert [section.name for section in fitted.sections] == ["a"]


def test_a_section_is_made_shorter_step_by_step() -> None:
    section = words("a", ShorteningStep("a.long", 10, "short enough"), ShorteningStep("a", 30))
    other = words("b", ShorteningStep("b", 20))
    small = estimate_tokens("short enough")
    assert fit([section, other], SIZE + small).text == f"short enough\n\n{WORDS}"
    assert fit([section, other], SIZE + small - 1).text == "short enough"
    assert fit([section, other], 0).sections == ()
    assert [cut.name for cut in fit([section, other], 0).cuts] == ["a.long", "b", "a"]


def test_the_weight_of_a_section_is_that_of_its_next_step() -> None:
    section = words("a", ShorteningStep("a.long", 10, "short enough"), ShorteningStep("a", 30))
    assert section.weight == 10
    assert fit([section], SIZE - 1).sections[0].weight == 30
    assert words("b").weight is None


def test_what_has_no_step_is_never_cut() -> None:
    fitted = fit([words("a"), words("b", ShorteningStep("b", 1))], 0)
    assert [section.name for section in fitted.sections] == ["a"]
