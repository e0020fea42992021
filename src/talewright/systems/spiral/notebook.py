"""The notebook: the tool `scratchpad`, by which a storyteller reads and writes its hidden notes.

What is written stays within its limits. No player ever sees it.
"""

from talewright.kernel.judging.moves_and_rulings import Op, Update, mend
from talewright.kernel.state.documents import quote_value
from talewright.kernel.system import Grant
from talewright.systems.spiral import scratchpad
from talewright.systems.spiral.arguments import Said
from talewright.systems.spiral.limits import NAME_LENGTH_MAX, SCRATCHPAD_LENGTH_MAX, SECTION_LENGTH_MAX
from talewright.systems.spiral.slots import OWN
from talewright.systems.spiral.standing import Standing
from talewright.systems.spiral.tags import fold, to_line

READ, WRITE, APPEND = "read", "write", "append"
OPERATIONS = (READ, WRITE, APPEND)
TOOL = "scratchpad"


def use_scratchpad(said: Said, standing: Standing) -> Grant:
    """Read or write a section, or the whole."""
    operation = said.choice("operation", OPERATIONS)
    section = _read_name(said)
    text = str(standing.own["scratchpad"])
    if operation == READ:
        return Grant(result={"content": _read(text, section)})
    content = _read_content(said)
    if section:
        whole = scratchpad.write(text, section, content, append=operation == APPEND)
    else:
        whole = _write_whole(text, content, append=operation == APPEND)
    _measure(whole)
    result = (scratchpad.read(whole, section) or "") if section else whole
    return Grant((Update(Op.SET, f"{OWN}.scratchpad", whole),), {"content": result})


def _read_name(said: Said) -> str:
    """The section that is meant; empty where the whole is."""
    value = said.members.get("section")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise mend(
            f"{TOOL}: `section` is the name of a section, or null for the whole; not {quote_value(value)}"
        )
    name = to_line(value).lstrip("# ")
    if len(name) > NAME_LENGTH_MAX:
        raise mend(f"{TOOL}: the name of a section has at most {NAME_LENGTH_MAX} characters")
    return name


def _read(text: str, section: str) -> str:
    if not section:
        return text
    found = scratchpad.read(text, section)
    if found is None:
        there = ", ".join(f"`{name}`" for name in scratchpad.names(text)) or "none yet"
        raise mend(f"{TOOL}: there is no section {quote_value(section)}; there is {there}")
    return found


def _read_content(said: Said) -> str:
    value = said.members.get("content")
    if not isinstance(value, str):
        raise mend(f"{TOOL} needs `content`: the Markdown to write, a text, not {quote_value(value)}")
    lines = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    content = "\n".join("".join(c for c in line if c == "\t" or ord(c) >= ord(" ")) for line in lines)
    if not scratchpad.is_closed(content):
        raise mend(f"{TOOL}: a code fence ({scratchpad.CODE}) is opened and not closed; close it")
    return content


def _write_whole(text: str, content: str, *, append: bool) -> str:
    joined = f"{text.rstrip()}\n\n{content}" if append and text.strip() else content
    return scratchpad.join(scratchpad.split(joined))


def _measure(whole: str) -> None:
    if len(whole) > SCRATCHPAD_LENGTH_MAX:
        raise mend(
            f"{TOOL}: the whole has at most {SCRATCHPAD_LENGTH_MAX} characters, this would make "
            f"{len(whole)}; "
            "write a section anew, shorter, or prune `Resolved`"
        )
    seen: set[str] = set()
    for section in scratchpad.split(whole):
        if len(section.body) > SECTION_LENGTH_MAX:
            raise mend(
                f"{TOOL}: a section has at most {SECTION_LENGTH_MAX} characters, `{section.name}` would have "
                f"{len(section.body)}; write it anew, shorter"
            )
        if section.name and fold(section.name) in seen:
            raise mend(
                f"{TOOL}: the section `{section.name}` stands there twice; name it as `section` instead"
            )
        seen.add(fold(section.name))
