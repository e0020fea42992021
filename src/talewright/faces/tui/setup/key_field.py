"""A field for a key: what is typed is never shown, copied, logged or sent along in a message.

It holds the key until somebody takes it, once; then it is empty.
"""

from textual.message import Message
from textual.widgets import Input


class KeyField(Input):
    """An Input whose messages carry nothing."""

    class Given(Message):
        """Enter was pressed; the key is still in the field."""

    def __init__(self, placeholder: str, *, id: str) -> None:  # noqa: A002 - the name that Textual gives it
        super().__init__(placeholder=placeholder, password=True, id=id)

    def post_message(self, message: Message) -> bool:
        """Let no message out that holds what was typed: messages are written to logs."""
        if isinstance(message, Input.Submitted):
            return super().post_message(self.Given())
        if isinstance(message, Input.Changed | Input.Blurred):
            return True
        return super().post_message(message)

    def take(self) -> str:
        """What was typed; the field is empty afterwards."""
        typed, self.value = self.value.strip(), ""
        return typed

    def action_copy(self) -> None:
        """A key is not copied out again."""

    def action_cut(self) -> None:
        """Cut without copying."""
        self.delete_selection()
