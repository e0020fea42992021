"""Writes `common/confusables_table.py` from Unicode's list: `python -m tools.confusables FILE`.

FILE is `confusables.txt` of the Unicode security data (UTS #39), which is not kept here. Only letters and
digits get a row, and only those that `unicodedata` alone would not fold to the same.
"""

import re
import sys
import textwrap
import unicodedata
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "src" / "talewright" / "common" / "confusables_table.py"

HEAD = '''"""The confusables table: letters and digits that look like others, by `tools/confusables.py`.

Do not edit. From `confusables.txt` {version} of {day} (Unicode Security Mechanisms, UTS #39;
https://www.unicode.org/terms_of_use.html) and the names of Latin letters, as far as `unicodedata` does not
fold them by itself. To add a letter that Unicode's list lacks, see LOOK_ALIKES_ADDED in `letter_folding`.
"""

from collections.abc import Mapping
from types import MappingProxyType

CONFUSABLES_VERSION = "{version}"
"""The version of Unicode that has them."""

CONFUSABLES_DAY = "{day}"
"""The day on which Unicode wrote its list."""

_ROWS = """
{rows}
"""
"""What is read, and the numbers of the characters that are read so; `-` is read as nothing."""


def _read_rows(rows: str) -> Mapping[str, str]:
    found, read = {{}}, ""
    for word in rows.split():
        if word.endswith(":"):
            read = word[:-1].replace("-", "")
        else:
            found[chr(int(word, 16))] = read
    return MappingProxyType(found)


LOOK_ALIKES: Mapping[str, str] = _read_rows(_ROWS)
"""How a letter or digit is read; those that are missing are read as themselves."""
'''

BLANK_LETTERS = "\u115f\u1160\U00013441\U00013442"
"""Letters without a shape."""

CLICKS = "\u01c0\u01c1\u01c2\u01c3"
"""Letters that look like strokes."""


def read_list(text: str) -> dict[str, str]:
    """Every character of Unicode's list that may be a letter, and how it is read."""
    found = dict.fromkeys(BLANK_LETTERS, "")
    for source, target in re.findall(r"^([0-9A-F]+) ;\t([0-9A-F ]+) ;", text, re.MULTILINE):
        sign = chr(int(source, 16))
        prototype = "".join(chr(int(one, 16)) for one in target.split())
        read = _read(prototype)
        if sign.isalnum() and not sign.isascii() and read is not None and fold_plainly(sign) != read:
            # What looks like a stroke is one only where it is no letter of a word.
            if read or unicodedata.category(sign) == "Lm" or sign in CLICKS:
                found[sign] = read
    found |= _spread(found)
    return _list_variants() | found


_VARIANT = re.compile(
    r"(?:LATIN (?:SMALL |CAPITAL )?LETTER (?:SMALL CAPITAL |TURNED |REVERSED )?"
    r"|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER |REGIONAL INDICATOR SYMBOL LETTER )"
    r"([A-Z])(?: WITH [A-Z ]+)?"
)
"""Names of characters that are a letter of ASCII in another shape; Unicode's list has not all of them."""


def _list_variants() -> dict[str, str]:
    found = {}
    for sign in map(chr, range(128, sys.maxunicode)):
        name = _VARIANT.fullmatch(unicodedata.name(sign, ""))
        if name is not None and fold_plainly(sign) != name[1].lower():
            found[sign] = name[1].lower()
    return found


def _read(prototype: str) -> str | None:
    """A prototype as letters of ASCII, one ideograph or nothing; None where it is something else."""
    read = fold_plainly(prototype)
    return read if read.isascii() or (len(read) == 1 and "\u4e00" <= read <= "\u9fff") else None


def _spread(found: dict[str, str]) -> dict[str, str]:
    """Small letters that are read as their capitals are, where nothing else is said, and the other way."""
    more = {}
    for sign, read in found.items():
        for other in (sign.lower(), sign.upper()):
            if len(other) == 1 and not other.isascii() and other not in found and fold_plainly(other) != read:
                more[other] = read
    return more


def fold_plainly(text: str) -> str:
    """Letters and digits of a text without capitals and accents."""
    spelled = unicodedata.normalize("NFKD", text).casefold()
    return "".join(sign for sign in unicodedata.normalize("NFKD", spelled) if sign.isalnum())


def write_table(text: str) -> str:
    """The module."""
    day = re.search(r"^# Date: ([0-9-]+)", text, re.MULTILINE)
    version = re.search(r"^# Version: ([0-9.]+)", text, re.MULTILINE)
    assert day is not None
    assert version is not None
    rows: dict[str, list[str]] = {}
    # What `unicodedata` takes apart is looked up in its parts.
    for sign, read in sorted(read_list(text).items()):
        if unicodedata.normalize("NFKD", sign) == sign:
            rows.setdefault(read or "-", []).append(f"{ord(sign):x}")
    lines = (
        textwrap.fill(f"{read}: {' '.join(signs)}", 108, subsequent_indent="    ")
        for read, signs in sorted(rows.items())
    )
    return HEAD.format(version=version[1], day=day[1], rows="\n".join(lines))


def main() -> None:
    """Write the table."""
    TABLE.write_text(write_table(Path(sys.argv[1]).read_text("utf-8-sig")), "utf-8")
    print(f"{TABLE.relative_to(ROOT)}: written")


if __name__ == "__main__":
    main()
