"""The corpus: hostile texts as they are written in `payloads/`, and the cases that are made of them.

A payload is written by hand. A case is one payload on its way through one channel to one contract.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from talewright.common.json_values import Json

PAYLOADS = Path(__file__).parent / "payloads"
TOOL_RESULT = "tool_result"
CHANNELS = ("player", "world", "lore", "name", "memory", TOOL_RESULT)
CONTRACTS = ("cards", "patch", "tools")
TOOLS = "tools"


@dataclass(frozen=True, slots=True)
class Payload:
    """One hostile text."""

    id: str
    technique: str
    """The name of its file."""

    text: str
    wants: tuple[Mapping[str, Json], ...]
    """What a model does that obeys it; see `obedience`."""

    language: str = "en"


@dataclass(frozen=True, slots=True)
class Case:
    """One payload, one channel, one contract."""

    number: int
    payload: Payload
    channel: str
    contract: str

    @property
    def name(self) -> str:
        """For messages."""
        return f"{self.payload.technique}/{self.payload.id} by {self.channel} in {self.contract}"


@cache
def read_payloads() -> tuple[Payload, ...]:
    """Every payload, in the order of the files."""
    found = []
    for path in sorted(PAYLOADS.glob("*.yaml")):
        for raw in yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader):
            text = raw["text"] * raw.get("times", 1)
            found.append(Payload(raw["id"], path.stem, text, tuple(raw["wants"]), raw.get("language", "en")))
    return tuple(found)


@cache
def make_cases() -> tuple[Case, ...]:
    """Every payload by the player and by two more channels, which take turns; each meets all contracts."""
    cases: list[Case] = []
    others = CHANNELS[1:]
    for at, payload in enumerate(read_payloads()):
        channels = (CHANNELS[0], others[at % len(others)], others[(at + 2) % len(others)])
        contracts = [CONTRACTS[(at + step) % len(CONTRACTS)] for step in range(len(CONTRACTS))]
        if TOOL_RESULT in channels:
            # Only one contract has results of tools; the payload meets the other two by other channels.
            place, wanted = channels.index(TOOL_RESULT), contracts.index(TOOLS)
            contracts[place], contracts[wanted] = contracts[wanted], contracts[place]
        for channel, contract in zip(channels, contracts, strict=True):
            cases.append(Case(len(cases), payload, channel, contract))
    return tuple(cases)


def make_all_cases() -> tuple[Case, ...]:
    """Every payload by every channel in every contract."""
    ways = [(channel, contract) for channel in CHANNELS for contract in CONTRACTS]
    possible = [way for way in ways if way[0] != TOOL_RESULT or way[1] == TOOLS]
    pairs = [(payload, way) for payload in read_payloads() for way in possible]
    return tuple(Case(number, payload, *way) for number, (payload, way) in enumerate(pairs))
