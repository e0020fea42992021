"""Pages: a projection brought into the folder, around whatever a person has written there meanwhile.

A text of a person is never written over: it stays where the page may be edited, and is moved aside where it
may not.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from talewright.chronicle.store import Notice, NoticeKind, Projection
from talewright.stores.folder.disk import Disk, OddFileError
from talewright.stores.folder.layout import Layout
from talewright.stores.folder.readable import (
    PAGE_BYTES_MAX,
    check_path,
    keep_edit,
    locate,
    read_page,
    write_page,
)
from talewright.stores.folder.sheets import Sheet, digest_page, ignore_sheet, read_sheet, write_sheet

EDIT_BYTES_MAX = 256 * 1024
"""Bytes of an edited page that are taken up."""

_STRANGE = ""
"""The digest of what no page of ours can be."""


@dataclass(slots=True)
class Press:
    """One projection on its way into the folder."""

    disk: Disk
    layout: Layout
    sheet: dict[str, tuple[str, ...]]
    stored: Sheet | None = None
    """The sheet as it lies on the disk."""

    notices: list[Notice] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    """Where texts of a person were moved."""

    def write(self, projection: Projection) -> None:
        """Write the pages, and take away those that are gone."""
        due = {path: data for path, data in self._encode(projection) if self._is_due(path, data, projection)}
        for path, data in due.items():
            self.sheet[path] = tuple(dict.fromkeys((digest_page(data), *self.sheet.get(path, ()))))
        # Before any page: a crash from here on leaves old pages and new ones, and both are known.
        self._store_sheet()
        for path, data in due.items():
            self._put(path, data)
        for path in projection.removed:
            if path not in projection.pages and not check_path(path):
                self._take_away(path)
        self._store_sheet()

    def _store_sheet(self) -> None:
        if self.sheet != self.stored:
            write_sheet(self.disk, self.layout, self.sheet)
            self.stored = dict(self.sheet)

    def _encode(self, projection: Projection) -> Iterable[tuple[str, bytes]]:
        for path, text in projection.pages.items():
            why = check_path(path)
            try:
                data = text.encode()
            except UnicodeEncodeError as error:
                why = str(error)
            if why:
                self._note_unwritten(path, why)
            else:
                yield path, data

    def _is_due(self, path: str, data: bytes, projection: Projection) -> bool:
        """Whether a page is to be written: not where it says so already, or a person's text may stand."""
        try:
            found = self._look(path)
        except OSError as error:
            self._note_unwritten(path, str(error))
            return False
        if found == digest_page(data):
            self.sheet[path] = (found,)
            return False
        return not (path in projection.editable and self._is_edited(path, found))

    def _look(self, path: str) -> str | None:
        """By what the file of a page is known; None where there is none that could be kept."""
        try:
            data = read_page(self.disk, self.layout, path)
        except OddFileError:
            return None
        if data is None:
            return None
        return digest_page(data) if len(data) <= PAGE_BYTES_MAX else _STRANGE

    def _is_edited(self, path: str, found: str | None) -> bool:
        return found is not None and found not in self.sheet.get(path, ())

    def _put(self, path: str, data: bytes) -> None:
        try:
            if self._is_edited(path, self._look(path)):
                self._set_aside(path)
            write_page(self.disk, self.layout, path, data)
            self.sheet[path] = (digest_page(data),)
        except OSError as error:
            self._note_unwritten(path, str(error))

    def _take_away(self, path: str) -> None:
        try:
            if self._is_edited(path, self._look(path)):
                self._set_aside(path)
            locate(self.layout, path).unlink(missing_ok=True)
            self.sheet.pop(path, None)
        except OSError as error:
            self.notices.append(Notice(NoticeKind.PAGES, f"the page {path!r} was not taken away: {error}"))

    def _set_aside(self, path: str) -> None:
        kept = keep_edit(self.disk, self.layout, path)
        self.kept.append(kept)
        text = (
            f"the page {path!r} was changed by hand; it is made from the records and was written anew, "
            f"and what stood there is kept as {kept!r}"
        )
        self.notices.append(Notice(NoticeKind.EDIT_KEPT, text, path, kept))

    def _note_unwritten(self, path: str, why: str) -> None:
        self.notices.append(Notice(NoticeKind.PAGES, f"the page {path!r} was not written: {why}"))


def prepare(
    disk: Disk,
    layout: Layout,
    projection: Projection,
    read_history: Callable[[Iterable[str]], Mapping[str, bytes]],
) -> Press:
    """A press that knows what was written before: from the sheet, or else from what git saw last."""
    sheet = read_sheet(disk, layout)
    if sheet is None:
        paths = [*projection.pages, *projection.removed]
        there = [path for path in paths if not check_path(path) and (layout.folder / path).exists()]
        known = read_history(there) if there else {}
        ignore_sheet(disk, layout)
        return Press(disk, layout, {path: (digest_page(data),) for path, data in known.items()})
    return Press(disk, layout, dict(sheet), sheet)


def read_edits(disk: Disk, layout: Layout, paths: Iterable[str]) -> tuple[dict[str, str], list[Notice]]:
    """The texts that a person has given to pages, and what could not be read of them."""
    # The sheet comes first: a page that is written meanwhile then gives the text of the record itself.
    sheet: Sheet = read_sheet(disk, layout) or {}
    texts: dict[str, str] = {}
    notices: list[Notice] = []
    for path in sorted(paths):
        if check_path(path):
            continue
        try:
            data = read_page(disk, layout, path)
            if data is None or digest_page(data) in sheet.get(path, ()):
                continue
            if len(data) > EDIT_BYTES_MAX:
                raise OddFileError(f"it has more than {EDIT_BYTES_MAX} bytes")
            texts[path] = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            notices.append(_unread(path, f"it is no UTF-8 text ({error.reason} at byte {error.start})"))
        except OSError as error:
            notices.append(_unread(path, str(error)))
    return texts, notices


def _unread(path: str, why: str) -> Notice:
    text = f"the page {path!r} was changed by hand and not taken up: {why}; write it as plain text"
    return Notice(NoticeKind.EDIT_UNREAD, text, path)
