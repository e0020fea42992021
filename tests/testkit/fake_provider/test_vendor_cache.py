"""Caching rules: what each vendor counts as cached, boundary by boundary."""

from dataclasses import replace

import pytest

from talewright_testkit.fake_provider.parsed_request import ParsedRequest, RequestBlock
from talewright_testkit.fake_provider.vendor_cache import (
    ANTHROPIC_CACHE,
    ANTHROPIC_CACHE_2048,
    GEMINI_CACHE,
    LLAMA_CPP_CACHE,
    NO_CACHE,
    OPENAI_CACHE,
    VendorCache,
    VendorCacheHit,
    VendorCacheRules,
)

MINUTES = 60.0


def words(count: int, word: str = "rain") -> str:
    """A text of so many tokens."""
    return " ".join([word] * count)


def prompt(*sizes: int, model: str = "m", tail: str = "") -> ParsedRequest:
    """Blocks of so many tokens each, the one that names the speaker included."""
    blocks = [RequestBlock("user", words(size - 1)) for size in sizes]
    return ParsedRequest(model, (*blocks, *([RequestBlock("user", tail)] if tail else [])))


def mark(asked: ParsedRequest, *at: int, seconds: float = 300.0) -> ParsedRequest:
    """The same with marks after these blocks."""
    blocks = [
        replace(block, mark_seconds=seconds) if number in at else block
        for number, block in enumerate(asked.blocks)
    ]
    return replace(asked, blocks=tuple(blocks))


def cached(
    rules: VendorCacheRules, first: ParsedRequest, second: ParsedRequest, *, later: float = 1.0
) -> int:
    """Tokens of the second prompt that the first one left in the cache."""
    cache = VendorCache(rules)
    cache.keep(first, 0.0)
    cache.keep_said(first, "", 0.0)
    return cache.measure(second, later).cached_tokens


def test_without_a_cache_nothing_is_kept() -> None:
    assert cached(NO_CACHE, prompt(5_000), prompt(5_000)) == 0
    assert VendorCache(NO_CACHE).measure(prompt(7), 0.0) == VendorCacheHit(7)


@pytest.mark.parametrize(
    ("size", "expected"), [(1_023, 0), (1_024, 1_024), (1_151, 1_024), (1_152, 1_152), (5_000, 4_992)]
)
def test_openai_counts_from_1024_in_steps_of_128(size: int, expected: int) -> None:
    assert cached(OPENAI_CACHE, prompt(size), prompt(size, tail="more")) == expected


def test_openai_needs_the_very_same_beginning() -> None:
    changed = ParsedRequest("m", (RequestBlock("user", "snow " + words(2_000)),))
    assert cached(OPENAI_CACHE, prompt(2_000), changed) == 0
    late = ParsedRequest("m", (RequestBlock("user", words(1_500) + " snow " + words(1_000)),))
    assert cached(OPENAI_CACHE, prompt(3_000), late) == 1_408


def test_openai_forgets_after_its_lifetime_and_is_renewed_by_use() -> None:
    cache = VendorCache(OPENAI_CACHE)
    asked = prompt(2_000)
    cache.keep(asked, 0.0)
    assert cache.measure(asked, 5 * MINUTES - 1).cached_tokens == 1_920
    assert cache.measure(asked, 5 * MINUTES).cached_tokens == 0
    cache.keep(asked, 4 * MINUTES)
    assert cache.measure(asked, 9 * MINUTES - 1).cached_tokens == 1_920


def test_measuring_keeps_nothing() -> None:
    cache = VendorCache(OPENAI_CACHE)
    cache.measure(prompt(2_000), 0.0)
    assert cache.measure(prompt(2_000), 0.0).cached_tokens == 0


@pytest.mark.parametrize("rules", [OPENAI_CACHE, GEMINI_CACHE, LLAMA_CPP_CACHE])
def test_another_model_has_another_cache(rules: VendorCacheRules) -> None:
    assert cached(rules, prompt(3_000), prompt(3_000, model="other")) == 0
    assert cached(rules, prompt(3_000), prompt(3_000)) > 2_900


@pytest.mark.parametrize(("size", "expected"), [(2_047, 0), (2_048, 2_048), (2_049, 2_049)])
def test_gemini_counts_every_token_from_its_minimum(size: int, expected: int) -> None:
    assert cached(GEMINI_CACHE, prompt(size), prompt(size, tail="more")) == expected


def test_llama_cpp_keeps_the_last_prompt_and_what_was_said() -> None:
    cache = VendorCache(LLAMA_CPP_CACHE)
    first = ParsedRequest("m", (RequestBlock("system", "Tell."), RequestBlock("user", "Go on.")))
    cache.keep(first, 0.0)
    assert cache.measure(first, 0.0).cached_tokens == 0, "kept only when the answer has ended"
    cache.keep_said(first, "Rain falls.", 0.0)
    second = replace(
        first, blocks=(*first.blocks, RequestBlock("assistant", "Rain falls."), RequestBlock("user", "And?"))
    )
    assert cache.measure(second, 10_000.0) == VendorCacheHit(14, 11)
    same = cache.measure(first, 0.0)
    assert same == VendorCacheHit(7, 6), "the last token is always computed"


def test_llama_cpp_slots_are_taken_over_by_likeness_then_age() -> None:
    cache = VendorCache(replace(LLAMA_CPP_CACHE, slots=2))
    one, two, three = (
        ParsedRequest("m", (RequestBlock("user", words(50, word)),)) for word in ("rain", "snow", "hail")
    )
    for asked in (one, two):
        cache.keep_said(asked, "", 0.0)
    longer = ParsedRequest("m", (RequestBlock("user", words(60, "rain")),))
    cache.keep_said(longer, "", 1.0)
    assert cache.measure(two, 1.0).cached_tokens == 50
    cache.keep_said(three, "", 2.0)
    assert cache.measure(two, 2.0).cached_tokens == 1, "the oldest slot went; who speaks is still the same"
    assert cache.measure(longer, 2.0).cached_tokens == 60


def test_anthropic_keeps_nothing_without_a_mark() -> None:
    assert cached(ANTHROPIC_CACHE, prompt(3_000), mark(prompt(3_000), 0)) == 0


@pytest.mark.parametrize(
    ("rules", "size", "expected"),
    [
        (ANTHROPIC_CACHE, 1_023, 0),
        (ANTHROPIC_CACHE, 1_024, 1_024),
        (ANTHROPIC_CACHE_2048, 2_047, 0),
        (ANTHROPIC_CACHE_2048, 2_048, 2_048),
    ],
)
def test_anthropic_has_a_minimum(rules: VendorCacheRules, size: int, expected: int) -> None:
    first, second = mark(prompt(size), 0), mark(prompt(size, tail="more"), 0)
    assert cached(rules, first, second) == expected
    assert VendorCache(rules).measure(first, 0.0).written_tokens == expected


def test_anthropic_writes_up_to_the_last_mark_only() -> None:
    cache = VendorCache(ANTHROPIC_CACHE)
    first = mark(prompt(2_000, 500, 300), 0, 1)
    assert cache.measure(first, 0.0) == VendorCacheHit(2_800, 0, 2_500)
    cache.keep(first, 0.0)
    assert cache.measure(first, 1.0) == VendorCacheHit(2_800, 2_500, 0)
    grown = mark(prompt(2_000, 500, 300, 700), 3)
    assert cache.measure(grown, 1.0) == VendorCacheHit(3_500, 2_500, 1_000)


@pytest.mark.parametrize(("between", "expected"), [(18, 2_000), (19, 0)])
def test_anthropic_looks_back_twenty_blocks(between: int, expected: int) -> None:
    first = mark(prompt(2_000), 0)
    second = mark(prompt(2_000, *[5] * (between + 1)), between + 1)
    assert cached(ANTHROPIC_CACHE, first, second) == expected


def test_anthropic_lifetimes() -> None:
    short, long = mark(prompt(2_000), 0), mark(prompt(2_000), 0, seconds=3_600.0)
    assert cached(ANTHROPIC_CACHE, short, short, later=299.0) == 2_000
    assert cached(ANTHROPIC_CACHE, short, short, later=300.0) == 0
    assert cached(ANTHROPIC_CACHE, long, long, later=3_599.0) == 2_000
    assert VendorCache(ANTHROPIC_CACHE).measure(long, 0.0).written_long_tokens == 2_000
    assert VendorCache(ANTHROPIC_CACHE).measure(short, 0.0).written_long_tokens == 0


def test_anthropic_reading_renews() -> None:
    cache = VendorCache(ANTHROPIC_CACHE)
    first, next_one = mark(prompt(2_000), 0), mark(prompt(2_000, 50), 1)
    cache.keep(first, 0.0)
    cache.keep(next_one, 200.0)
    assert cache.measure(first, 499.0).cached_tokens == 2_000
    assert cache.measure(first, 500.0).cached_tokens == 0


def test_anthropic_settings_break_the_cache_from_where_they_stand() -> None:
    def with_salt(salt: str) -> ParsedRequest:
        asked = mark(prompt(1_500, 1_500), 0, 1)
        return replace(asked, blocks=(asked.blocks[0], replace(asked.blocks[1], salt=salt)))

    assert cached(ANTHROPIC_CACHE, with_salt("auto"), with_salt("auto")) == 3_000
    assert cached(ANTHROPIC_CACHE, with_salt("auto"), with_salt("any")) == 1_500
