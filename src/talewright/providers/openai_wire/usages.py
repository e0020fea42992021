"""Usages: what servers of this wire report as cost, in their several spellings.

A number that is none, or below zero, counts as zero; more cached than there was counts as all of it. Whoever
reports nothing but zeros has not counted.
"""

from collections.abc import Mapping

from talewright.llm.usage import Usage


def read_usage(event: Mapping[str, object]) -> Usage | None:
    """The usage that an event tells, if it tells any."""
    usage = _read(event)
    return usage if usage != Usage() else None


def _read(event: Mapping[str, object]) -> Usage | None:
    told = event.get("usage") or _part(event.get("x_groq"), "usage")
    timings = event.get("timings")
    if isinstance(told, Mapping):
        given = _count(told, "prompt_tokens")
        details = _part(told, "prompt_tokens_details")
        hits = (
            _count(details, "cached_tokens"),
            # DeepSeek's spelling, and that of llama.cpp, whose details older versions leave out.
            _count(told, "prompt_cache_hit_tokens"),
            _count(timings, "cache_n"),
        )
        return Usage(given, _count(told, "completion_tokens"), min(max(hits), given))
    if isinstance(timings, Mapping) and "predicted_n" in timings:
        cached = _count(timings, "cache_n")
        return Usage(_count(timings, "prompt_n") + cached, _count(timings, "predicted_n"), cached)
    return None


def _part(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else None


def _count(value: object, name: str) -> int:
    found = _part(value, name)
    return max(0, found) if isinstance(found, int) and not isinstance(found, bool) else 0
