"""Reasoning: removes a model's thinking from its text, wherever the text is split.

The thinking is dropped. The profile defines the marks around it.
"""

import re
from collections.abc import Sequence

from talewright.llm.reply_chunks import Again, Chunk, Text

THOUGHT_ALOUD = "the model was thinking aloud"


class ReasoningFilter:
    """Takes the text of one reply in pieces and returns what is not thinking."""

    def __init__(self, tags: Sequence[tuple[str, str]]) -> None:
        self._closing = dict(tags)
        marks = [mark for pair in tags for mark in pair]
        self._marks = re.compile("|".join(map(re.escape, marks)))
        self._firsts = frozenset(mark[0] for mark in marks)
        self._beginnings = tuple({mark[:size] for mark in marks for size in range(1, len(mark))})
        self._held = ""
        self._until = ""
        """The mark that ends the current thinking; empty outside of any."""

        self._shown = False
        self._trims = False
        """Whether blanks are dropped: those between the thinking and the answer belong to neither."""

    def feed(self, text: str) -> list[Chunk]:
        """The chunks that can be output so far."""
        if not text:
            return []
        if not self._held and not self._until and not self._trims and self._firsts.isdisjoint(text):
            self._shown = True
            return [Text(text)]
        text = self._held + text
        given: list[Chunk] = []
        while True:
            if self._until:
                thought, mark, rest = text.partition(self._until)
                if not mark:
                    self._held = thought[-(len(self._until) - 1) :] if len(self._until) > 1 else ""
                    return given
                self._until, text = "", rest
                self._trims = not self._shown
                continue
            found = self._marks.search(text)
            if found is None:
                size = self._count_open_end(text)
                self._held = text[len(text) - size :]
                return given + self._give(text[: len(text) - size])
            given += self._give(text[: found.start()])
            text = text[found.end() :]
            self._until = self._closing.get(found[0], "")
            if not self._until:
                # The thinking started in the prompt, before the reply: everything so far was part of it.
                given = [Again(THOUGHT_ALOUD)] if self._shown else []
                self._shown, self._trims = False, True

    def finish(self) -> list[Chunk]:
        """The text that was held back and proved not to be a mark."""
        held = "" if self._until else self._held
        self._held = ""
        return self._give(held)

    def _give(self, text: str) -> list[Chunk]:
        text = text.lstrip() if self._trims else text
        if not text:
            return []
        self._shown, self._trims = True, False
        return [Text(text)]

    def _count_open_end(self, text: str) -> int:
        fitting = (len(beginning) for beginning in self._beginnings if text.endswith(beginning))
        return max(fitting, default=0)
