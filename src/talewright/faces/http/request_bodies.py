"""Request bodies: what clients send, as pydantic types that FastAPI checks and describes.

Unknown members are refused, so that a misspelt one is noticed.
"""

from enum import StrEnum
from typing import Any, assert_never

from pydantic import BaseModel, ConfigDict, Field

from talewright.faces.http.access_grants import TOKEN_DAYS, TOKEN_DAYS_MAX
from talewright.play.campaign_view import Viewer
from talewright.play.master_desk import MASTER_OPERATION_LENGTH_MAX, ProposedCall
from talewright.play.session_inputs import AnswerDecision, Choose, GoOn, PlayerInput, Retry, Say

TEXT_LENGTH_MAX = 200_000
"""Characters in any text of a request; the engine has narrower limits."""

NAME_LENGTH_MAX = 200
OPERATION_LENGTH_MAX = 100
CALLS_MAX = 64

OPERATION = Field(
    "",
    max_length=OPERATION_LENGTH_MAX,
    pattern=r"^[!-~]*$",
    description="Made by the client, new for each operation: the same id means the same operation, however "
    "often it is sent. Empty to have one made.",
)
NAME = Field("", max_length=NAME_LENGTH_MAX)
TEXT = Field("", max_length=TEXT_LENGTH_MAX)


class RequestBody(BaseModel):
    """A body whose members are all known."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)


class BeginBody(RequestBody):
    """Which campaign to start."""

    game: str = Field(max_length=NAME_LENGTH_MAX, examples=["mist_harbor"], description="The id of a game.")
    language: str = Field("", max_length=35, examples=["en"], description="Empty for the game's own.")
    name: str = Field(
        "", max_length=NAME_LENGTH_MAX, description="The campaign's name; empty to have one made."
    )
    operation_id: str = OPERATION


class InputKind(StrEnum):
    """What kind of turn to take."""

    SAY = "say"
    CHOOSE = "choose"
    ANSWER = "answer"
    GO_ON = "go_on"
    RETRY = "retry"


class PlayerTurnBody(RequestBody):
    """A player's input."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"kind": "say", "text": "I look around.", "operation_id": "9f2c"}]},
    )

    kind: InputKind
    text: str = Field("", max_length=TEXT_LENGTH_MAX, description="The words for `say` or `retry`.")
    choice: str = Field("", max_length=NAME_LENGTH_MAX, description="The id of a choice, for `choose`.")
    decision: str = Field("", max_length=NAME_LENGTH_MAX, description="The id of a decision, for `answer`.")
    option: str = Field("", max_length=NAME_LENGTH_MAX, description="The id of an option, for `answer`.")
    note: str = Field("", max_length=TEXT_LENGTH_MAX, description="The player's note, for `answer`.")
    operation_id: str = OPERATION
    base: str = Field(
        "",
        max_length=NAME_LENGTH_MAX,
        description="The head that the player saw. If another turn came first, the answer is 409 `moved`.",
    )

    def read_input(self) -> PlayerInput:
        """The input."""
        match self.kind:
            case InputKind.SAY:
                return Say(self.text)
            case InputKind.CHOOSE:
                return Choose(self.choice)
            case InputKind.ANSWER:
                return AnswerDecision(self.decision, self.option, self.note)
            case InputKind.GO_ON:
                return GoOn()
            case InputKind.RETRY:
                return Retry(self.text)
            case _:
                assert_never(self.kind)


class UndoBody(RequestBody):
    """How far to go back."""

    turns: int = Field(1, ge=0, le=1_000_000)


class ForkBody(RequestBody):
    """Where a branch starts."""

    commit: str = Field("", max_length=NAME_LENGTH_MAX, description="The id of a turn; empty for here.")
    name: str = Field(
        "", max_length=NAME_LENGTH_MAX, description="The branch's name; empty to have one made."
    )


class SwitchBody(RequestBody):
    """Which branch to continue on."""

    branch: str = Field(max_length=NAME_LENGTH_MAX)


class LoadBody(RequestBody):
    """Which mark to continue from."""

    mark: str = Field(max_length=NAME_LENGTH_MAX)


class TokenBody(RequestBody):
    """What a narrower token allows."""

    campaign: str = Field(min_length=1, max_length=NAME_LENGTH_MAX)
    role: Viewer = Field(description="player, master or author", examples=["player"])
    days: int = Field(
        TOKEN_DAYS, ge=1, le=TOKEN_DAYS_MAX, strict=True, description="After how many days it expires."
    )


class ChosenModelBody(RequestBody):
    """Which model narrates."""

    name: str = Field(max_length=NAME_LENGTH_MAX, description="A name from GET /models, or `none`.")
    campaign: str = Field("", max_length=NAME_LENGTH_MAX, description="Empty for the default.")


class CandidateBody(RequestBody):
    """A model to test or save."""

    source: str = NAME
    model: str = NAME
    key: str = Field("", max_length=2000, description="An API key; it is stored in the keyring only.")
    base_url: str = Field("", max_length=2000, description="The address of your own server.")


class ReceiptBody(RequestBody):
    """What to check a campaign against."""

    receipt: str = Field("", max_length=2000, description="A receipt; empty to check without one.")


class CallBody(RequestBody):
    """A call of a tool by a game master."""

    name: str = Field(max_length=NAME_LENGTH_MAX)
    arguments: dict[str, Any] = Field(default_factory=dict)
    id: str = NAME

    def read_call(self) -> ProposedCall:
        """The call."""
        return ProposedCall(self.name, self.arguments, self.id)


class MasterTurnBody(RequestBody):
    """How a game master opens a turn: with the player's words, a choice, or the answer to a decision."""

    kind: InputKind = InputKind.SAY
    text: str = TEXT
    choice: str = NAME
    decision: str = NAME
    option: str = NAME
    note: str = TEXT
    operation_id: str = Field(
        "", max_length=MASTER_OPERATION_LENGTH_MAX, pattern=r"^[!-~]*$", description="As for a turn."
    )
    base: str = NAME
    holder: str = Field(
        "", max_length=64, description="Whoever knows it may continue the turn; empty to have it derived."
    )
    by_player: bool = Field(
        False, description="Whether the player gave the answer in person; only the owner's word counts."
    )


class CallsBody(RequestBody):
    """Calls that are to be judged."""

    turn: str = Field(max_length=NAME_LENGTH_MAX * 4, description="The handle of the open turn.")
    calls: list[CallBody] = Field(default_factory=list, max_length=CALLS_MAX)
    answers: dict[str, Any] = Field(default_factory=dict)


class FinishBody(RequestBody):
    """The narration that finishes a turn."""

    turn: str = Field(max_length=NAME_LENGTH_MAX * 4, description="The handle of the open turn.")
    narration: str = Field(max_length=TEXT_LENGTH_MAX)
    calls: list[CallBody] = Field(default_factory=list, max_length=CALLS_MAX)
    facts: list[str] = Field(default_factory=list, max_length=CALLS_MAX)


class HandleBody(RequestBody):
    """Which open turn."""

    turn: str = Field(max_length=NAME_LENGTH_MAX * 4, description="The handle of the open turn.")


class OperationBody(RequestBody):
    """Which operation's turn."""

    operation_id: str = Field(max_length=NAME_LENGTH_MAX, description="As the brief names it.")


class ErrandAnswerBody(RequestBody):
    """An answer to an errand of the brief."""

    system: str = Field(max_length=NAME_LENGTH_MAX)
    errand: str = Field(max_length=NAME_LENGTH_MAX)
    answer: Any = None


class SummaryBody(RequestBody):
    """The summary that the brief asks for."""

    text: str = Field(max_length=TEXT_LENGTH_MAX)
