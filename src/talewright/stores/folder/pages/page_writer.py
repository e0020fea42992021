"""The page writer: writes pages into the folder without overwriting what a person has written there.

A person's text stays if the page may be edited, and is moved aside if it may not.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from talewright.chronicle.readable_pages import PageProjection, StoreNotice, StoreNoticeKind
from talewright.common.frozen_values import frozen
from talewright.common.plain_files import LargeFileError, OddFileError
from talewright.stores.folder.disk import Disk, FolderLayout
from talewright.stores.folder.pages.page_edits import (
    PageManifest,
    PageManifestEntry,
    digest_page,
    ignore_manifest,
    keep_edit,
    read_manifest,
    write_manifest,
)
from talewright.stores.folder.pages.page_files import (
    check_path,
    locate,
    read_page,
    write_page,
)

_STRANGE = ""
"""A digest that no page of ours has."""


@frozen
class ProjectionPosition:
    """Where a projection is in the tree of turns."""

    version: int = 0
    """The version of its own turn."""

    before: str = ""
    """The commit whose pages were in the folder at that time."""

    parted: int | None = None
    """The version of the last turn that both have in common; None if that is the parent."""


@dataclass(slots=True)
class PageWriter:
    """Writes one projection into the folder."""

    disk: Disk
    layout: FolderLayout
    head: str
    """The commit that the pages were made for."""

    leaves: dict[str, PageManifestEntry]
    stored: PageManifest | None = None
    """The manifest on the disk."""

    notices: list[StoreNotice] = field(default_factory=list)
    touched: list[str] = field(default_factory=list)
    """Where a person's texts were moved, and which pages were removed."""

    def write(self, projection: PageProjection, strand: ProjectionPosition) -> None:
        """Write the pages, and remove obsolete ones."""
        pages = dict(self._encode(projection))
        due = {path: data for path, data in pages.items() if self._is_due(path, data, projection, strand)}
        for path, data in due.items():
            known = self.leaves[path].digests if path in self.leaves else ()
            digests = tuple(dict.fromkeys((digest_page(data), *known)))
            self.leaves[path] = PageManifestEntry(digests, strand.version)
        # Before any page: a crash from here on leaves a mix of old and new pages, and both are known.
        self._store_sheet()
        for path, data in due.items():
            self._put(path, data)
        self._leave(projection, strand)
        for path in projection.removed:
            if path not in projection.pages and not check_path(path):
                self._take_away(path)
        self.head = projection.commit
        self._store_sheet()

    def _leave(self, projection: PageProjection, strand: ProjectionPosition) -> None:
        """Remove pages made by turns that are not on this line of the story."""
        if strand.parted is None or strand.before != self.head:
            return
        for path in [path for path, leaf in self.leaves.items() if leaf.version > strand.parted]:
            # The manifest is a file like any other: the paths in it may not be pages at all.
            if check_path(path):
                self.leaves.pop(path)
            elif path in projection.pages:
                self.leaves[path] = replace(self.leaves[path], version=strand.version)
            else:
                self._take_away(path)

    def _store_sheet(self) -> None:
        sheet = PageManifest(self.head, self.leaves)
        if sheet != self.stored:
            write_manifest(self.disk, self.layout, sheet)
            self.stored = PageManifest(self.head, dict(self.leaves))

    def _encode(self, projection: PageProjection) -> Iterable[tuple[str, bytes]]:
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

    def _is_due(self, path: str, data: bytes, projection: PageProjection, strand: ProjectionPosition) -> bool:
        """Whether to write a page: not if it is up to date, or if a person's text may stay."""
        try:
            found = self._look(path)
        except OSError as error:
            self._note_unwritten(path, str(error))
            return False
        if found == digest_page(data):
            if path not in self.leaves or self.leaves[path].digests != (found,):
                self.leaves[path] = PageManifestEntry((found,), strand.version)
            return False
        return not (path in projection.editable and self._is_edited(path, found))

    def _look(self, path: str) -> str | None:
        """The digest of a page's file; None if there is none that could be kept."""
        try:
            data = read_page(self.disk, self.layout, path)
        except LargeFileError:
            return _STRANGE
        except OddFileError:
            return None
        return None if data is None else digest_page(data)

    def _is_edited(self, path: str, found: str | None) -> bool:
        return found is not None and not PageManifest(self.head, self.leaves).is_ours(path, found)

    def _put(self, path: str, data: bytes) -> None:
        try:
            if self._is_edited(path, self._look(path)):
                self._set_aside(path, StoreNoticeKind.EDIT_KEPT, "it is generated from the records")
            write_page(self.disk, self.layout, path, data)
            self.leaves[path] = replace(self.leaves[path], digests=(digest_page(data),))
        except OSError as error:
            self._note_unwritten(path, str(error))

    def _take_away(self, path: str) -> None:
        try:
            if self._is_edited(path, self._look(path)):
                self._set_aside(path, StoreNoticeKind.EDIT_LEFT, "it is no longer part of this story")
            locate(self.layout, path).unlink(missing_ok=True)
            self.leaves.pop(path, None)
            self.touched.append(path)
        except OSError as error:
            self.notices.append(
                StoreNotice(StoreNoticeKind.PAGES, f"the page {path!r} was not removed: {error}")
            )

    def _set_aside(self, path: str, kind: StoreNoticeKind, why: str) -> None:
        kept = keep_edit(self.disk, self.layout, path)
        self.touched.append(kept)
        text = f"the page {path!r} was changed by hand; {why}, and your text was saved as {kept!r}"
        self.notices.append(StoreNotice(kind, text, path, kept))

    def _note_unwritten(self, path: str, why: str) -> None:
        self.notices.append(StoreNotice(StoreNoticeKind.PAGES, f"the page {path!r} was not written: {why}"))


def prepare_writer(
    disk: Disk,
    layout: FolderLayout,
    projection: PageProjection,
    read_history: Callable[[Iterable[str]], Mapping[str, bytes]],
) -> PageWriter:
    """A writer that knows what was written before, from the manifest or from git."""
    sheet = read_manifest(disk, layout)
    if sheet is None:
        paths = [*projection.pages, *projection.removed]
        there = [path for path in paths if not check_path(path) and (layout.folder / path).exists()]
        known = read_history(there) if there else {}
        ignore_manifest(disk, layout)
        return PageWriter(
            disk, layout, "", {path: PageManifestEntry((digest_page(data),)) for path, data in known.items()}
        )
    return PageWriter(disk, layout, sheet.head, dict(sheet.leaves), sheet)
