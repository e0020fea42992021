"""The record index: finds every record, in the index file and in the newer frames that are not in it yet.

It opens no log and verifies no frame; `campaign_log` gives it valid frames.
"""

from contextlib import suppress

from talewright.chronicle.chained_lines import RecordFrame
from talewright.chronicle.records import Record
from talewright.stores.folder.log.index_file import IndexFile
from talewright.stores.folder.log.index_trie import UnfitError
from talewright.stores.folder.log.log_file import LogFile, PlacedFrame
from talewright.stores.folder.log.log_fold import IndexEntries, IndexEntry, LogFold

BATCH_FRAMES = 64
"""Frames not in the index that may be read again at each opening; more are written to the index."""

ANSWERS_MAX = 256
"""Cached lookups in the index file."""


class RecordIndex:
    """What is known about the log, from its start."""

    def __init__(self, index: IndexFile | None = None) -> None:
        self._index = index
        self._tail: IndexEntries = {}
        """Entries of the frames that the index file does not contain yet."""

        self._tail_count = 0
        self._patience = BATCH_FRAMES
        self._answers: IndexEntries = {}
        self.standing = LogFold()

    def load(self, log: LogFile) -> LogFold | None:
        """Start where the index file ends; returns its state if the log no longer contains it."""
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
        """Add one frame."""
        for key, entry in self.standing.take_frame(placed, record, self.find):
            self._tail.setdefault(key, []).append(entry)
        self._tail_count += 1

    def find(self, key: str) -> list[IndexEntry]:
        """The entries under a key, oldest first. Raises UnfitError if the index is damaged."""
        known = self._answers.get(key)
        if known is None:
            known = self._index.find(key) if self._index is not None else []
            if len(self._answers) >= ANSWERS_MAX:
                self._answers.clear()
            self._answers[key] = known
        return known + self._tail.get(key, [])

    def forget(self) -> None:
        """Start over at the beginning of the log."""
        if self._index is not None:
            self._index.forget()
        self.standing, self._tail, self._tail_count = LogFold(), {}, 0
        self._answers.clear()

    def settle(self, log: LogFile) -> None:
        """Bring the index file up to date if much is new: adopt another process's work, or write."""
        if self._tail_count >= self._patience:
            self._take_over(log)
        if self._tail_count >= self._patience:
            self.flush()

    def flush(self) -> None:
        """Write new entries to the index file. If that fails, the next opening reads more of the log."""
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
        """Write everything to the index file, and compact it."""
        self.flush()
        if self._index is not None and self._tail_count == 0:
            with suppress(OSError, UnfitError, RecursionError):
                self._index.tidy(self.standing)

    def _take_over(self, log: LogFile) -> None:
        """Adopt what another process has written to the index file, if anything.

        Without this, every process would write the same entries.
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
        """Close the index file."""
        if self._index is not None:
            self._index.close()


def _fits(standing: LogFold, log: LogFile) -> bool:
    """Whether a log contains the records of a state: the chain at its end covers all of them."""
    last = standing.last
    if last is None or last.end != standing.end or standing.end > log.size:
        return False
    found = log.read_at(last)
    return isinstance(found, RecordFrame) and found.chain == standing.chain
