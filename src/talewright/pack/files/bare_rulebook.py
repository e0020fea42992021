"""The bare rulebook: a folder with a rulebook and no `game.yaml` is a game, and here is what it lacks.

The missing files exist only in memory; nothing is written. An author who wants to say more adds them.
"""

import json
import re
from collections.abc import Mapping

from talewright.common.language_tags import pick_words
from talewright.common.word_catalogues import interface_languages
from talewright.pack.game_folders import GAME_FILE, RULEBOOK_FILE, name_bare_game

TITLE_LENGTH_MAX = 100
"""Characters of a heading that becomes a title; a longer one is cut."""

WORLD_FILE, INTRO_FILE = "world.md", "intro.md"

GAME = """\
game_id: {name}
title: {title}
languages: [{languages}]
contract: tools
plan: tool_loop
"""
"""The `game.yaml`. The systems are those that read the rulebook."""

WORLDS = {
    "en": (
        "What kind of world this is follows from the rulebook; nothing else about it is written down. Decide "
        "together with the player where the story begins, and keep to what has been told.\n"
    ),
    "zh-CN": (
        "这是个怎样的世界，由规则书说明；除此之外没有写下别的。故事从哪里开始，和玩家一起决定；讲过的，就算数。\n"
    ),
}
"""The `world.md`, by language."""

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_MARKS = re.compile(r"[*_`\x00-\x1f]")


def find_missing_files(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that make the rulebook in a folder a game, by name; none if it has its own `game.yaml`.

    It can be played in every language of the interface: the texts are the same in all of them.
    """
    if GAME_FILE in files or RULEBOOK_FILE not in files:
        return {}
    title, languages = json.dumps(find_title(folder, files), ensure_ascii=False), interface_languages()
    game = GAME.format(name=name_bare_game(folder), title=title, languages=", ".join(languages))
    texts = {GAME_FILE: game.encode()}
    for language in languages:
        # The author's own texts, if there are any, are in a language that nobody has named.
        base = "" if language == languages[0] else f"texts/{language}/"
        texts[f"{base}{WORLD_FILE}"] = files.get(WORLD_FILE) or pick_words(language, WORLDS).encode()
        if base:
            texts[f"{base}labels.yaml"] = f"title: {title}\n".encode()
        if base and INTRO_FILE in files:
            texts[f"{base}{INTRO_FILE}"] = files[INTRO_FILE]
    return {name: text for name, text in texts.items() if name not in files}


def find_title(folder: str, files: Mapping[str, bytes]) -> str:
    """The first heading of the rulebook, or the name of the folder."""
    heading = _HEADING.search(files[RULEBOOK_FILE].decode("utf-8", "replace"))
    title = _MARKS.sub("", heading[1]).strip()[:TITLE_LENGTH_MAX] if heading else ""
    return title or folder
