"""Build hook: the parts of the package's metadata that depend on the project's public address.

The README's relative links and pictures work in the repository, but not on a package index. When `base-url`
in `pyproject.toml` is the repository's address, they become absolute, and the project gets its URLs. While it
is empty, links become plain words, pictures are left out, and there are no URLs.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(?P<picture>!?)\[(?P<words>[^\]]*)\]\((?!https?:|mailto:|#)(?P<path>[^)\s]+)\)")
"""A relative link, or a picture of the repository."""


class MetadataHook(MetadataHookInterface):
    """Fills in `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add both to the `project` table."""
        base = self.config["base-url"].rstrip("/")
        readme = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": resolve_links(readme, base)}
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
