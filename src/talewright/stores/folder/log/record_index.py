"""The record index: where every record stands, by the index file and the frames behind it.

It opens no log and verifies no frame; `campaign_log` hands it what is good.
"""

from contextlib import suppress

from talewright.chronicle.chained_lines import RecordFrame
from talewright.chronicle.records import Record
from talewright.stores.folder.log.index_file import IndexFile
from talewright.stores.folder.log.index_trie import UnfitError
from talewright.stores.folder.log.log_file import LogFile, PlacedFrame
from talewright.stores.folder.log.log_fold import IndexEntries, IndexEntry, LogFold

BATCH_FRAMES = 64
"""Frames that are read from the log again on opening, before the index is told of them."""

ANSWERS_MAX = 256
"""Answers of the index that are remembered."""


class RecordIndex:
    """What is known of a stretch of the log, from its beginning on."""

    def __init__(self, index: IndexFile | None = None) -> None:
        self._index = index
        self._tail: IndexEntries = {}
        """What was found in frames behind those that the index knows."""

        self._tail_count = 0
        self._patience = BATCH_FRAMES
        self._answers: IndexEntries = {}
        self.standing = LogFold()

    def load(self, log: LogFile) -> LogFold | None:
        """Begin where the index ends; what it was made of, where the log no longer holds that."""
        if self._index is None:
            return None
        try:
            head = self._index.look()
        except OSError:
            head = None
        if head is not None and _fits(head.standing, log):
            self._index.go_on_from(head)
            self.standing = head.standing
            return None
        self._index.forget()
        return head.standing if head is not None else None

    def take(self, placed: PlacedFrame, record: Record) -> None:
        """Go on by one frame."""
        for key, entry in self.standing.take_frame(placed, record, self.find):
            self._tail.setdefault(key, []).append(entry)
        self._tail_count += 1

    def find(self, key: str) -> list[IndexEntry]:
        """What stands under a key, oldest first; an UnfitError where the index is damaged."""
        known = self._answers.get(key)
        if known is None:
            known = self._index.find(key) if self._index is not None else []
            if len(self._answers) >= ANSWERS_MAX:
                self._answers.clear()
            self._answers[key] = known
        return known + self._tail.get(key, [])

    def forget(self) -> None:
        """Begin again at the beginning of the log."""
        if self._index is not None:
            self._index.forget()
        self.standing, self._tail, self._tail_count = LogFold(), {}, 0
        self._answers.clear()

    def settle(self, log: LogFile) -> None:
        """Let the index know what is new, where that is much: from another process, or else from this one."""
        if self._tail_count >= self._patience:
            self._take_over(log)
        if self._tail_count >= self._patience:
            self.flush()

    def flush(self) -> None:
        """Tell the index of what is new. Where that fails, the log is read from further back next time."""
        if self._index is None or self._tail_count == 0:
            return
        try:
            self._index.write(self.standing, self._tail)
        except (OSError, UnfitError):
            self._patience = self._tail_count + BATCH_FRAMES
            return
        self._tail, self._tail_count, self._patience = {}, 0, BATCH_FRAMES
        self._answers.clear()

    def tidy(self) -> None:
        """Tell the index of everything, and let it throw away what it no longer uses."""
        self.flush()
        if self._index is not None and self._tail_count == 0:
            with suppress(OSError, UnfitError, RecursionError):
                self._index.tidy(self.standing)

    def _take_over(self, log: LogFile) -> None:
        """Go on from what another process told the index, if there is such a thing.

        Without this every process would write for itself what each of them has read.
        """
        if self._index is None:
            return
        try:
            head = self._index.look() if self._index.has_grown() else None
            if head is None or head.standing.end > self.standing.end or not _fits(head.standing, log):
                return
        except OSError:
            return
        self._index.go_on_from(head)
        end = head.standing.end
        tail = {key: [one for one in found if one.place.offset >= end] for key, found in self._tail.items()}
        self._tail = {key: found for key, found in tail.items() if found}
        self._tail_count = len({one.place.offset for found in self._tail.values() for one in found})
        self._answers.clear()

    def close(self) -> None:
        """Let go of the index."""
        if self._index is not None:
            self._index.close()


def _fits(standing: LogFold, log: LogFile) -> bool:
    """Whether a log holds what a standing was made of: the chain at its end binds all before it."""
    last = standing.last
    if last is None or last.end != standing.end or standing.end > log.size:
        return False
    found = log.read_at(last)
    return isinstance(found, RecordFrame) and found.chain == standing.chain
