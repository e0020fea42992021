"""Errands: questions of a system, asked of a model, whose answers are data.

A system never learns who answered, and an answer that does not fit its schema is no answer.
"""

import json
from collections.abc import Mapping

from talewright.contract.text.json_text import JsonTextError, read_json
from talewright.contract.tools.schemas import complain
from talewright.kernel.judging.moves_and_rulings import Errand, ErrandWeight
from talewright.kernel.state.documents import Json
from talewright.llm.messages import System, User
from talewright.llm.provider import Provider
from talewright.llm.requests import Request
from talewright.turn.asking import Asker, UntoldError
from talewright.turn.road import Teller

ANSWER_TOKENS_MAX = 4_000
"""Tokens of the answer to an errand, whatever it asks for."""

_RULES = "Answer with JSON alone: no other words, no code fence. It must fit this JSON Schema:\n"


def choose_provider(teller: Teller, errand: Errand) -> Provider:
    """Whom to ask: the cheap model for what weighs little."""
    if errand.weight is ErrandWeight.CHEAP and teller.cheap is not None:
        return teller.cheap
    return teller.main


async def run_errand(asker: Asker, teller: Teller, errand: Errand) -> Json:
    """Ask an errand; None where no fitting answer came."""
    schema, provider = errand.answer_schema, choose_provider(teller, errand)
    rules = _RULES + json.dumps(schema, ensure_ascii=False, sort_keys=True)
    request = Request(
        (System(rules), User(errand.question)),
        answer_schema=schema if isinstance(schema, Mapping) else None,
        max_output_tokens=min(errand.answer_tokens, ANSWER_TOKENS_MAX, provider.profile.output_tokens_max),
    )
    try:
        answer = read_json(await asker.ask_plainly(provider, request, f"errand {errand.id}"))
    except (JsonTextError, UntoldError):
        return None
    return None if complain(answer, schema, "the answer") else answer
