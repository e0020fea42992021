"""User questions: puts a player's decision to the client's user, past the assistant.

Clients of protocol 2026-07-28 get an input-required result and call again with the answer, in whichever
process. Older ones are asked in the middle of the call. A client that can do neither is not asked.
"""

import json
from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from talewright.faces.mcp.tool_calling import UserAnswer
from talewright.play.campaign_view import DecisionView

QUESTION = "decision"
"""The key of the question in an input-required result."""

OPTION, NOTE = "option", "note"
NOTE_LENGTH_MAX = 500


class InputNeeded(Exception):
    """Ends a call until the user has answered; holds the result that asks."""

    def __init__(self, result: types.InputRequiredResult) -> None:
        super().__init__()
        self.result = result


class ClientUser:
    """The user of the client that sent a request."""

    def __init__(self, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams) -> None:
        self._context = context
        self._params = params

    @property
    def can_ask(self) -> bool:
        """Whether the client shows questions to its user."""
        session = self._context.session
        return _can_ask(session.client_capabilities) and (self._is_modern or session.can_send_request)

    @property
    def _is_modern(self) -> bool:
        return self._context.protocol_version in MODERN_PROTOCOL_VERSIONS

    async def __call__(self, decision: DecisionView, head: str) -> UserAnswer | None:
        """The user's answer; None if the client cannot ask, or the user does not want to answer now."""
        if not self.can_ask:
            return None
        result = self._find_answer(decision, head) if self._is_modern else await self._ask(decision)
        return _read(result, decision)

    def _find_answer(self, decision: DecisionView, head: str) -> types.ElicitResult:
        """The answer that came with the call, if it is to this question."""
        state = json.dumps([decision.id, head])
        given = (self._params.input_responses or {}).get(QUESTION)
        if self._params.request_state == state and isinstance(given, types.ElicitResult):
            return given
        form = types.ElicitRequestFormParams(
            message=_word(decision), requested_schema=_form(decision, modern=True)
        )
        asked: dict[str, types.InputRequest] = {QUESTION: types.ElicitRequest(params=form)}
        raise InputNeeded(types.InputRequiredResult(input_requests=asked, request_state=state))

    async def _ask(self, decision: DecisionView) -> types.ElicitResult:
        context = self._context
        form = _form(decision, modern=False)
        return await context.session.elicit_form(_word(decision), form, context.request_id)


def _can_ask(abilities: types.ClientCapabilities | None) -> bool:
    """Whether a client shows forms to its user; one that names no kind of question means forms."""
    asks = None if abilities is None else abilities.elicitation
    return asks is not None and (asks.form is not None or asks.url is None)


def _word(decision: DecisionView) -> str:
    options = (f"- {label}" for _, label in decision.options)
    return "\n".join((decision.question, *decision.lines, *options))


def _form(decision: DecisionView, *, modern: bool) -> dict[str, Any]:
    ids = [option for option, _ in decision.options]
    labels = [label for _, label in decision.options]
    pick: dict[str, Any] = {"type": "string", "title": decision.question}
    if modern:
        pick["oneOf"] = [{"const": option, "title": label} for option, label in decision.options]
    else:
        # The older form, which clients of every age understand.
        pick |= {"enum": ids, "enumNames": labels}
    members: dict[str, Any] = {OPTION: pick}
    if decision.takes_note:
        members[NOTE] = {"type": "string", "maxLength": NOTE_LENGTH_MAX}
    return {"type": "object", "properties": members, "required": [OPTION]}


def _read(result: types.ElicitResult, decision: DecisionView) -> UserAnswer | None:
    if result.action != "accept":
        return None
    content: Mapping[str, Any] = result.content or {}
    option, note = content.get(OPTION), content.get(NOTE)
    if option not in {known for known, _ in decision.options}:
        return None
    return UserAnswer(str(option), str(note or "")[:NOTE_LENGTH_MAX])
