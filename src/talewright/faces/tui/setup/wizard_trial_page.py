"""Trial page of the wizard: one real question and its answer, and what was saved.

The model chooser asks and saves; these pages show the result. A key repeated in an answer is not shown.
"""

from dataclasses import replace

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from talewright.faces.tui.safe_content import describe_error, safe, safe_line
from talewright.faces.tui.setup.wizard_pages import WizardPage
from talewright.faces.tui.widgets.dialogs import draw_buttons
from talewright.play.model_choices import ModelCandidate, ModelChooser, TrialView

ANSWER_LENGTH_MAX = 600
"""How many characters of an answer are shown."""

AFTER_ANSWER = ("keep", "other-model", "other-place")
"""What can be done once the model has answered."""


class TrialPage(WizardPage):
    """Asks one question and shows the answer."""

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Static(id="outcome")
        yield self._place_abilities(Static(id="abilities"), Content(""))
        words = self.words
        yield draw_buttons(
            ("skip", words.skip, False),
            ("keep", words.keep, True),
            ("again", words.again, True),
            ("other-key", words.other_key, False),
            ("other-model", words.other_model, False),
            ("other-place", words.other_place, False),
        )

    async def ask(self, desk: ModelChooser, candidate: ModelCandidate, has_key: bool) -> None:
        """Ask one question and show the answer or the error."""
        self._wait(self.words.testing_text.format(model=safe_line(candidate.model)))
        try:
            trial = await desk.test(candidate)
        except Exception as error:
            self._fail(self.words.test_bad, self._tell(error, candidate), has_key)
            return
        text, hint = candidate.hide_key(trial.text), candidate.hide_key(trial.hint)
        self._show(replace(trial, text=text, hint=hint), has_key)
        if trial.good:
            await self._find_abilities(desk, candidate)

    async def _find_abilities(self, desk: ModelChooser, candidate: ModelCandidate) -> None:
        """Ask the server what it can do, and show it; the model can be kept whatever goes wrong."""
        place, is_asked = self.query_one("#abilities", Static), False

        def progress(question: str, number: int, of: int) -> None:
            nonlocal is_asked
            told = self.words.asking.format(number=number, of=of, question=question)
            self._place_abilities(place, Content.styled(told, "$text-muted"))
            if not is_asked:
                self._offer("skip")
            is_asked = True

        try:
            told = await desk.find_abilities(candidate, progress)
        except Exception as error:
            told = str(self._tell(error, candidate))
        self._place_abilities(place, Content(safe(told)))
        if is_asked:
            self._offer(*AFTER_ANSWER)

    async def keep(self, desk: ModelChooser, candidate: ModelCandidate, has_key: bool) -> str:
        """Save the model; return what was done in words, or an empty text if it failed."""
        self._wait(self.words.keeping)
        try:
            return candidate.hide_key(await desk.keep(candidate))
        except Exception as error:
            self._fail(self.words.kept_bad, self._tell(error, candidate), has_key)
            return ""

    def _place_abilities(self, place: Static, told: Content) -> Static:
        """Show what the server can do; if that is nothing, use no line."""
        place.update(told)
        place.display = bool(told)
        return place

    def _tell(self, error: Exception, candidate: ModelCandidate) -> Content:
        told = describe_error(error, self.words.wrong, self.words.wrong_hint)
        return Content(candidate.hide_key(str(told)))

    def _wait(self, told: str) -> None:
        self.query_one("#outcome", Static).update(Content(told))
        self._place_abilities(self.query_one("#abilities", Static), Content(""))
        self._offer()

    def _show(self, trial: TrialView, has_key: bool) -> None:
        words = self.words
        said = safe(trial.text).strip()[:ANSWER_LENGTH_MAX]
        if not trial.good:
            lines = [Content(said), *([Content(safe_line(trial.hint))] if trial.hint else [])]
            self._fail(words.test_bad, Content("\n").join(lines), has_key)
            return
        facts = [words.test_seconds.format(seconds=f"{trial.seconds:.1f}"), safe_line(trial.price)]
        lines = [
            Content.styled(words.test_good, "bold $text-success"),
            Content(words.test_said.format(text=said) if said else words.test_silent),
            Content.styled(words.join.join(fact for fact in facts if fact), "$text-muted"),
        ]
        self.query_one("#outcome", Static).update(Content("\n").join(lines))
        self._offer(*AFTER_ANSWER)

    def _fail(self, what: str, why: Content, has_key: bool) -> None:
        lines = [
            Content.styled(what, "bold $text-error"),
            why,
            Content(""),
            Content.styled(self.words.test_next, "$text-muted"),
        ]
        self.query_one("#outcome", Static).update(Content("\n").join(lines))
        self._offer("again", *(("other-key",) if has_key else ()), "other-model", "other-place")

    def _offer(self, *buttons: str) -> None:
        for button in self.query("Button"):
            button.display = button.id in buttons
        if buttons:
            self.query_one(f"#{buttons[0]}").focus()


class KeptPage(WizardPage):
    """Shows what was saved."""

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Static(id="kept-told")
        yield Static(Content(self.words.kept_next), classes="label")
        yield draw_buttons(("done", self.words.done, True))

    def show(self, told: str) -> None:
        """Show what the model chooser reports."""
        self.query_one("#kept-told", Static).update(Content(safe(told)))
        self.query_one("#done").focus()
