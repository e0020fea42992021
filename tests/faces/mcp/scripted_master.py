"""A scripted game master: an MCP client that tells a play file, turn by turn, as an assistant would."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcp import Client

from talewright.providers.scripted import ScriptedReply
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, Input, Say
from tests.faces.mcp.serving import PlayersAnswers, call, text_of
from tests.plays.scripts import Turn


@dataclass
class ScriptedMaster:
    """The game master of one campaign."""

    client: Client
    user: PlayersAnswers
    campaign: str
    version: int = -1
    """Of the last briefing."""

    refused: list[str] = field(default_factory=list)
    """What was refused in the last turn."""

    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The arguments of each tool, once they were needed."""

    async def tell(self, turn: Turn, number: int) -> Mapping[str, Any]:
        """Tell one turn of a play; what it has led to."""
        self.refused = []
        briefing = await call(self.client, "briefing", campaign=self.campaign, since=self.version)
        self.version = briefing["version"]
        handle = await self.begin(turn.given, f"turn-{number}")
        for at, reply in enumerate(turn.replies):
            done = await self._reply(handle, reply, last=at == len(turn.replies) - 1)
            if done is not None:
                return done
        raise AssertionError(f"turn {number} was not told: {self.refused}")

    async def begin(self, given: Input, operation: str) -> str:
        """Open a turn; the client's user answers a decision."""
        arguments: dict[str, Any] = {"campaign": self.campaign, "operation_id": operation}
        match given:
            case Say(text):
                arguments["say"] = text
            case Choose(choice):
                arguments["choose"] = choice
            case AnswerDecision(_, option, note):
                self.user.waiting.append((option, note))
            case _:
                pass
        opened = await call(self.client, "begin_turn", **arguments)
        return str(opened["turn"])

    async def finish(self, handle: str, narration: str, **more: Any) -> Mapping[str, Any]:
        """Tell a turn that must stand."""
        where = {"campaign": self.campaign, "turn": handle}
        done: Mapping[str, Any] = await call(self.client, "finish_turn", narration=narration, **where, **more)
        return done

    async def _explain(self, tool: str) -> Mapping[str, str]:
        """Why it changes something, for a tool that asks; the replies of a play were made for models."""
        self.tools = self.tools or {
            one.name: one.input_schema for one in (await self.client.list_tools()).tools
        }
        asked = "reason" in self.tools.get(tool, {}).get("required", ())
        return {"reason": "as it happens"} if asked else {}

    async def _reply(self, handle: str, reply: ScriptedReply, *, last: bool) -> Mapping[str, Any] | None:
        where = {"campaign": self.campaign, "turn": handle}
        choices: Sequence[Any] = ()
        for one in reply.calls:
            arguments = json.loads(one.arguments)
            if one.name == "offer_choices":
                choices = arguments["choices"]
                continue
            result = await self.client.call_tool(
                one.name, {**await self._explain(one.name), **arguments, **where}
            )
            if result.is_error:
                self.refused.append(text_of(result))
        if reply.calls and not last:
            return None
        told = await self.client.call_tool(
            "finish_turn", {**where, "narration": reply.text, "choices": list(choices)}
        )
        if told.is_error:
            self.refused.append(text_of(told))
            return None
        standing: Mapping[str, Any] = told.structured_content
        return standing
