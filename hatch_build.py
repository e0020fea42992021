"""Build hooks: compile the catalogues of interface words, and fill in what depends on the public address.

Wheels contain the catalogues as `.mo`. `python hatch_build.py` compiles them in a clone, for `make setup`
and `make words`.

README's relative links and pictures work in the repository, but not on a package index. When `base-url` in
`pyproject.toml` is the repository's address, they become absolute, and the project gets its URLs and a name
in registries of MCP servers. While it is empty, links become plain words, and pictures and URLs are left out.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(?P<picture>!?)\[(?P<words>[^\]]*)\]\((?!https?:|mailto:|#)(?P<path>[^)\s]+)\)")
"""A relative link, or a picture of the repository."""

SERVER = "talewright"
LOCALES = Path("src", "talewright", "locales")
HEADERS = frozenset({"Content-Type", "Plural-Forms"})
"""All that is read of a compiled file. Others have dates, and a build must give the same bytes every time."""


class CompiledCatalogue(Catalog):
    """The translated texts of a catalogue; those that are missing or marked as fuzzy are left out."""

    def __init__(self, source: Catalog) -> None:
        super().__init__(charset="utf-8")
        self._headers = [(name, value) for name, value in source.mime_headers if name in HEADERS]
        for message in source:
            # A text that depends on a number counts only with all its forms.
            if message.id and message.string and all(message.string) and not message.fuzzy:
                self[message.id] = message

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return self._headers


def compile_catalogue(file: Path) -> bytes:
    """A `.po` file, compiled."""
    with file.open("rb") as opened:
        catalogue = CompiledCatalogue(read_po(opened, abort_invalid=True))
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    return compiled.getvalue()


def compile_catalogues(locales: Path) -> Iterator[Path]:
    """Compile what has changed since the last time; each file is replaced as a whole."""
    for source in sorted(locales.glob("*/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        part = target.with_suffix(".part")
        part.write_bytes(compile_catalogue(source))
        part.replace(target)
        yield target
    for target in sorted(locales.glob("*/*.mo")):
        if not target.with_suffix(".po").exists():
            target.unlink()


class CatalogueHook(BuildHookInterface[Any]):
    """Puts the compiled catalogues into the wheel, and next to their sources for an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files are collected."""
        [*compile_catalogues(Path(self.root, LOCALES))]
        # Git ignores them, and so would the builder.
        build_data["artifacts"].append(f"/{LOCALES.as_posix()}/*/*.mo")


class MetadataHook(MetadataHookInterface):
    """Fills in `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add both to the `project` table."""
        base = self.config["base-url"].rstrip("/")
        readme = (Path(self.root) / "README.md").read_text("utf-8")
        text = resolve_links(readme, base)
        if base:
            # So that a registry of MCP servers knows whose package it is.
            text += f"\n<!-- mcp-name: {name_server(base)} -->\n"
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = list_urls(base)


def resolve_links(text: str, base: str) -> str:
    """The text with links that work anywhere; without a base address, with none of the relative ones."""
    if not base:
        words = LINK.sub(lambda found: "" if found["picture"] else found["words"], text)
        return re.sub(r"\n{3,}", "\n\n", words)
    return LINK.sub(
        lambda found: (
            f"{found['picture']}[{found['words']}]"
            f"({base}/{'raw' if found['picture'] else 'blob'}/HEAD/{found['path']})"
        ),
        text,
    )


def name_server(base: str) -> str:
    """The name of the MCP server in a registry: the owner of the address, from right to left."""
    host, owner = (*base.split("/")[2:], "")[:2]
    if host == "github.com":
        return f"io.github.{owner}/{SERVER}"
    return f"{'.'.join(reversed(host.split('.')))}/{SERVER}"


def list_urls(base: str) -> dict[str, str]:
    """The addresses a package index shows beside the project."""
    if not base:
        return {}
    return {
        "Homepage": base,
        "Documentation": f"{base}/blob/HEAD/docs/README.md",
        "Changelog": f"{base}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{base}/issues",
    }


if __name__ == "__main__":
    print(f"{len([*compile_catalogues(Path(__file__).parent / LOCALES)])} catalogues compiled")
