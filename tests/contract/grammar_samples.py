"""Grammar samples: random texts that a grammar in the notation of llama.cpp allows.

It knows the part of the notation that our grammars use, and fails on any other.
"""

import json
import random
import re
from collections.abc import Iterator

_TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|(\[(?:[^\]\\]|\\.)*\])|(\{\d+,\d+\}|\?)|([()|])|([a-z]+))')
_ALPHABET = "abc def ghi, Ööß 你好 — XYZ'’ 0123"
"""Characters that stand for all that a class allows."""


class GrammarSamples:
    """Draws texts from one grammar."""

    def __init__(self, grammar: str, seed: int) -> None:
        rules = (line.split(" ::= ", 1) for line in grammar.split("\n"))
        self._rules = {name: list(_list_tokens(body)) for name, body in rules}
        self._lot = random.Random(seed)

    def draw(self) -> str:
        """One text, from the root."""
        return self._draw_rule("root")

    def _draw_rule(self, name: str) -> str:
        tokens = list(reversed(self._rules[name]))
        told = self._draw_choice(tokens)
        assert not tokens, f"{name}: {tokens[-1]!r} is left over"
        return told

    def _draw_choice(self, tokens: list[str]) -> str:
        options = [self._draw_sequence(tokens)]
        while tokens and tokens[-1] == "|":
            tokens.pop()
            options.append(self._draw_sequence(tokens))
        return self._lot.choice(options)

    def _draw_sequence(self, tokens: list[str]) -> str:
        parts = []
        while tokens and tokens[-1] not in "|)":
            start = list(tokens)
            once = self._draw_item(tokens)
            count = self._draw_count(tokens)
            again = (self._draw_item(list(start)) for _ in range(max(0, count - 1)))
            parts.append(once + "".join(again) if count else "")
        return "".join(parts)

    def _draw_count(self, tokens: list[str]) -> int:
        if not tokens or not (tokens[-1] == "?" or re.match(r"\{\d", tokens[-1])):
            return 1
        token = tokens.pop()
        least, most = (0, 1) if token == "?" else map(int, token[1:-1].split(","))
        return self._lot.choice([least, most, self._lot.randint(least, most)])

    def _draw_item(self, tokens: list[str]) -> str:
        token = tokens.pop()
        if token == "(":
            told = self._draw_choice(tokens)
            assert tokens.pop() == ")"
            return told
        if token.startswith('"'):
            return str(json.loads(token))
        if token.startswith("["):
            allowed = re.findall(token, _ALPHABET) or re.findall(token, "".join(map(chr, range(32, 127))))
            return str(self._lot.choice(allowed))
        return self._draw_rule(token)


def _list_tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        assert found is not None, text[at : at + 40]
        yield found[0].strip()
        at = found.end()
