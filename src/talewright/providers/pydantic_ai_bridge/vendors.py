"""Vendors: what differs between the makers of models, as a port that each one's side fills.

Each side imports its maker's library, so a side is loaded only when its model is asked.
"""

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import httpx2
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from talewright.llm.profiles import Profile
from talewright.llm.requests import Request
from talewright.providers.pydantic_ai_bridge.caching import Marks

NO_KEY = "none"
"""What is sent where there is no key: with an empty one a library looks for another in the environment."""

AnyModel: TypeAlias = Model[Any]


@dataclass(frozen=True, slots=True)
class Door:
    """What is needed to reach a vendor. Its key is shown nowhere."""

    model: str
    key: str
    base_url: str
    client: httpx2.AsyncClient

    def __repr__(self) -> str:
        return f"Door({self.model!r})"


class Side(Protocol):
    """One vendor."""

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What its library raises besides what pydantic-ai does."""

    def open(self, door: Door) -> AnyModel:
        """A model of this vendor; nothing is sent yet."""

    def write_settings(
        self, request: Request, profile: Profile, model: AnyModel, marks: Marks
    ) -> ModelSettings:
        """The settings of one request."""

    def write_form(
        self, parameters: ModelRequestParameters, request: Request, profile: Profile, model: AnyModel
    ) -> ModelRequestParameters:
        """The parameters with the form of the answer, as firmly as it can be asked for."""
