"""The starter: the small game that a new folder begins with.

Its files lie in `template/` beside this one; here they are only copied and given a name.
"""

import json
from pathlib import Path

TEMPLATE = Path(__file__).parent / "template"


def write_starter(folder: Path, name: str, title: str) -> list[Path]:
    """Write the starter into a folder that does not exist yet; the files written, in order."""
    # The title stands between double quotes, where YAML reads JSON's escapes.
    quoted = json.dumps(title, ensure_ascii=False)[1:-1]
    written = []
    for source in sorted(TEMPLATE.rglob("*")):
        if not source.is_file():
            continue
        text = source.read_text("utf-8").replace("NAME_ID", name).replace("NAME_TITLE", quoted)
        target = folder / source.relative_to(TEMPLATE)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
        written.append(target)
    return written
