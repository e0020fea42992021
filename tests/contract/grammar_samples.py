"""Grammar samples: random texts that a grammar in the notation of llama.cpp allows.

It knows the part of the notation that our grammars use, and fails on any other.
"""

import json
import random
import re
from collections.abc import Callable, Iterator

_TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|(\[(?:[^\]\\]|\\.)*\])|(\{\d+,\d+\}|\?)|([()|])|([a-z]+))')
_ALPHABET = "abc def ghi, Ööß 你好 — XYZ'’ 0123"
"""Characters that stand for all that a class allows."""


_Draw = Callable[[], str]
"""Draws one text of a part of a grammar."""


class GrammarSamples:
    """Draws texts from one grammar, whose rules are read once."""

    def __init__(self, grammar: str, seed: int) -> None:
        self._lot = random.Random(seed)
        self._rules: dict[str, _Draw] = {}
        for line in grammar.split("\n"):
            name, body = line.split(" ::= ", 1)
            tokens = list(_list_tokens(body))[::-1]
            self._rules[name] = self._read_choice(tokens)
            assert not tokens, f"{name}: {tokens[-1]!r} is left over"

    def draw(self) -> str:
        """One text, from the root."""
        return self._rules["root"]()

    def _read_choice(self, tokens: list[str]) -> _Draw:
        options = [self._read_sequence(tokens)]
        while tokens and tokens[-1] == "|":
            tokens.pop()
            options.append(self._read_sequence(tokens))
        return options[0] if len(options) == 1 else lambda: self._lot.choice(options)()

    def _read_sequence(self, tokens: list[str]) -> _Draw:
        parts: list[_Draw] = []
        while tokens and tokens[-1] not in "|)":
            item = self._read_item(tokens)
            parts.append(self._read_count(item, tokens))
        return parts[0] if len(parts) == 1 else lambda: "".join(part() for part in parts)

    def _read_count(self, item: _Draw, tokens: list[str]) -> _Draw:
        if not tokens or not (tokens[-1] == "?" or re.match(r"\{\d", tokens[-1])):
            return item
        token = tokens.pop()
        least, most = (0, 1) if token == "?" else map(int, token[1:-1].split(","))

        def repeat() -> str:
            count = self._lot.choice([least, most, self._lot.randint(least, most)])
            return "".join(item() for _ in range(count))

        return repeat

    def _read_item(self, tokens: list[str]) -> _Draw:
        token = tokens.pop()
        if token == "(":
            told = self._read_choice(tokens)
            assert tokens.pop() == ")"
            return told
        if token.startswith('"'):
            text = str(json.loads(token))
            return lambda: text
        if token.startswith("["):
            allowed = re.findall(token, _ALPHABET) or re.findall(token, "".join(map(chr, range(32, 127))))
            return lambda: str(self._lot.choice(allowed))
        return lambda: self._rules[token]()


def _list_tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        assert found is not None, text[at : at + 40]
        yield found[0].strip()
        at = found.end()
