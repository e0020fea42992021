"""Models: what a service gives to a model of its own."""

from dataclasses import replace

import pytest

from talewright.config.model_settings import (
    ModelSettings,
    find_service,
    is_own_network,
    known_services,
    model_of_service,
)
from talewright.llm.known_models import CAREFUL, LLAMA_CPP, SERVICES
from talewright.llm.measured_abilities import MeasuredAbilities
from talewright.llm.profiles import FREE, AnswerMode, Prices


def test_services_give_models_their_address_and_key() -> None:
    assert find_service("acme") is None
    for service in known_services():
        model = model_of_service(service, "x")
        assert (model.base_url, model.wire, model.key_name) == (
            service.base_url,
            service.wire,
            service.key_name,
        )
        assert model.own_at_once == (1 if service.is_local else 4)
        assert model.host_at_once == (1 if service.is_local and service.name != "vllm" else 0)


def test_how_many_requests_a_model_takes_at_once() -> None:
    own = ModelSettings(name="own", model="x", base_url=THERE)
    assert (own.own_at_once, own.host_at_once) == (4, 0)
    known = replace(own, measured=MEASURED)
    assert (known.own_at_once, known.host_at_once) == (1, 1)
    for model in (own, known, model_of_service(SERVICES["vllm"], "x")):
        limited = replace(model, at_once=7)
        assert (limited.own_at_once, limited.host_at_once) == (7, 7)


def test_what_the_player_says_of_a_model_counts_more_than_what_we_know() -> None:
    known = model_of_service(SERVICES["openai"], "gpt-5-mini")
    assert known.profile.prices is not None
    own = replace(known, prices=Prices(7.0, 8.0), context_tokens=9_000, output_tokens_max=90).profile
    assert (own.prices, own.context_tokens, own.output_tokens_max) == (Prices(7.0, 8.0), 9_000, 90)


HERE, THERE = "http://127.0.0.1:9000/v1", "https://rented.example/v1"
MEASURED = MeasuredAbilities("2026-11-16", "llama_cpp", AnswerMode.SCHEMA, context_tokens=4_096)


@pytest.mark.parametrize(
    ("address", "own"),
    [
        (HERE, True),
        ("http://localhost:1/v1", True),
        ("http://[::1]:1/v1", True),
        ("http://192.168.1.7/v1", True),
        ("http://10.0.0.7/v1", True),
        ("http://tower.local/v1", True),
        ("http://8.8.8.8/v1", False),
        ("http://127.0.0.1.example/v1", False),
        (THERE, False),
    ],
)
def test_which_servers_are_the_players_own(address: str, own: bool) -> None:
    assert is_own_network(address) is own
    model = ModelSettings(name="a", model="x", base_url=address)
    assert model.profile.prices == (FREE if own else None)


@pytest.mark.parametrize(
    ("address", "key_name", "measured", "prices", "may_be_probed"),
    [
        (HERE, "", None, FREE, True),
        (HERE, "", MEASURED, FREE, True),
        (HERE, "A_KEY", None, None, True),
        (HERE, "A_KEY", MEASURED, FREE, True),
        (THERE, "", None, None, True),
        (THERE, "", MEASURED, None, True),
        (THERE, "A_KEY", None, None, False),
        (THERE, "A_KEY", MEASURED, None, False),
    ],
)
def test_only_ones_own_server_is_free(
    address: str, key_name: str, measured: MeasuredAbilities | None, prices: Prices, may_be_probed: bool
) -> None:
    model = ModelSettings(name="a", model="x", base_url=address, key_name=key_name, measured=measured)
    assert model.profile.prices == prices
    assert model.may_be_probed is may_be_probed


def test_services_with_a_price_are_never_probed() -> None:
    for service in known_services():
        assert model_of_service(service, "x").may_be_probed is service.is_local


def test_a_recognised_server_gets_the_profile_of_its_kind() -> None:
    model = ModelSettings(name="a", model="x", base_url=HERE)
    assert model.profile == replace(CAREFUL, name="x", prices=FREE)
    known = replace(LLAMA_CPP.default, name="x", context_tokens=4_096)
    assert replace(model, measured=MEASURED).profile == known
    assert replace(model, measured=MEASURED, context_tokens=6_000).profile.context_tokens == 6_000
