"""The models in the pictures of the browser: a chooser that lists some, and asks nothing of anyone."""

from dataclasses import dataclass

from talewright.play.model_choices import ModelCandidate, ModelChoice, ModelSource, TrialView
from tests.faces.http.fake_models import FakeModels

CHINESE = "zh-CN"

PLACES = {
    "en": ("on this machine (Ollama)", "at Anthropic", "about $0.012 a turn", "free of charge"),
    CHINESE: ("在这台机器上（Ollama）", "由 Anthropic 提供", "每回合约 $0.012", "免费"),
}
"""Where the two models run, and what they cost."""

ANSWERS = {
    "en": "The lamp is lit, and the ferryman has already seen you.",
    CHINESE: "灯亮着，摆渡的人已经看见你了。",
}
LOCAL = ModelSource("ollama", "Ollama", is_local=True, models=("qwen3:8b", "gemma3:12b"))
SERVICES = (
    ModelSource("anthropic", "Anthropic", False, ("claude-sonnet-4-5",), "ANTHROPIC_API_KEY", has_key=True),
    ModelSource("deepseek", "DeepSeek", False, ("deepseek-chat",), "DEEPSEEK_API_KEY"),
    ModelSource("google", "Google", False, ("gemini-2.5-flash",), "GEMINI_API_KEY"),
    ModelSource("openrouter", "OpenRouter", False, ("openrouter/auto",), "OPENROUTER_API_KEY"),
)


@dataclass
class ShownModels(FakeModels):
    """Two models that are set up, one server on this machine, and some services."""

    language: str = "en"

    def in_language(self, language: str) -> "ShownModels":
        """The same, in another language."""
        return ShownModels(self.chosen_by_campaign, self.kept, language if language in PLACES else "en")

    async def choices(self) -> tuple[ModelChoice, ...]:
        """The models that are set up."""
        here, there, price, free = PLACES[self.language]
        return (
            ModelChoice("home", "qwen3:8b", here, free),
            ModelChoice("away", "claude-sonnet-4-5", there, price),
        )

    async def chosen(self, campaign: str = "", game: str = "") -> str:
        """The one on this machine, unless another was chosen."""
        return self.chosen_by_campaign.get(campaign, "home")

    async def local(self) -> tuple[ModelSource, ...]:
        """The server on this machine."""
        return (LOCAL,)

    async def services(self) -> tuple[ModelSource, ...]:
        """The known services."""
        return SERVICES

    async def test(self, candidate: ModelCandidate) -> TrialView:
        """It answers well."""
        return TrialView(good=True, text=ANSWERS[self.language], seconds=1.4, price=PLACES[self.language][3])
