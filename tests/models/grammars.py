"""Grammars: the form of a patch bundle, for a server that can be held to one.

The patch contract is prose with one JSON block, which no JSON Schema describes; a grammar of llama.cpp does.
The form is given, and so are the numbers of the versions; every word, path and value is the model's own.
"""

import json
import re

from talewright.llm.requests import Request, UserMessage

MECHANICS_ASKED = '{"mechanics":'
"""Stands in the newest message where the mechanics alone are asked for."""

SENTENCE_MAX = 100
"""Characters of each of the two sentences of a narration."""

ACTION_MAX = 40
"""Characters of each thing that the player might do next."""

_VERSION = re.compile(r"^\[VERSION\]\n(\d+)$", re.MULTILINE)
_SKILLS = ("stealth", "perception", "persuasion")
_DIFFICULTIES = ("easy", "moderate", "hard", "desperate")


def spell(text: str) -> str:
    """A grammar that allows one text."""
    return f"root ::= {_quote(text)}"


def spell_patch(request: Request) -> str:
    """The grammar for an answer of the patch contract: the mechanics, or the whole bundle."""
    newest = [message.text for message in request.messages if isinstance(message, UserMessage)]
    versions = [int(found) for text in newest for found in _VERSION.findall(text)]
    return _spell_mechanics() if MECHANICS_ASKED in newest[-1] else _spell_bundle(versions[-1])


def _spell_mechanics() -> str:
    skill, difficulty = (f"({' | '.join(map(_quote, names))})" for names in (_SKILLS, _DIFFICULTIES))
    some = [_quote('{"skill_used": "'), skill, _quote('", "difficulty": "'), difficulty, _quote('"}')]
    whole = [_quote('```json\n{"mechanics": '), '("null" | some)', _quote("}\n```")]
    return f"root ::= {' '.join(whole)}\nsome ::= {' '.join(some)}"


def _spell_bundle(version: int) -> str:
    test = json.dumps({"op": "test", "path": "/version", "value": version})
    replace = json.dumps({"op": "replace", "path": "/version", "value": version + 1})
    begin = (
        f'\n```json\n{{"schema_version": "1.2", "operation_id": "turn-{version + 1}", '
        f'"base_version": {version}, "patch": [{test}, '
    )
    middle = f'{replace}], "events": [], "next_actions": ["'
    end = '"]}\n```'
    whole = ["prose", _quote(begin), "change?", _quote(middle), "action", _quote('", "'), "action"]
    change = [_quote('{"op": "replace", "path": "'), "path", _quote('", "value": '), "value", _quote("}, ")]
    return "\n".join(
        (
            f"root ::= {' '.join(whole)} {_quote(end)}",
            # A full stop ends a sentence and is never within one: where a grammar leaves a choice, the server
            # follows both ways, and soon takes seconds for a token.
            f"prose ::= sentence {_quote(' ')} sentence",
            f"sentence ::= [A-Z] [^.`{{}}\\n\\[\\]]{{10,{SENTENCE_MAX}}} [.]",
            f"change ::= {' '.join(change)}",
            'path ::= "/" [a-z] [a-z_/]{1,30}',
            'value ::= [0-9]{1,2} | "true" | "false"',
            f'action ::= [A-Z] [^"\\\\\\n]{{4,{ACTION_MAX}}}',
        )
    )


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
