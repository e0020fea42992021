"""Models: what a service gives to a model of its own."""

from dataclasses import replace

from talewright.config.model_settings import find_service, known_services, model_of_service
from talewright.llm.known_models import SERVICES
from talewright.llm.profiles import Prices


def test_services_give_models_their_address_and_key() -> None:
    assert find_service("acme") is None
    for service in known_services():
        model = model_of_service(service, "x")
        assert (model.base_url, model.wire, model.key_name) == (
            service.base_url,
            service.wire,
            service.key_name,
        )
        assert model.at_once == (1 if service.is_local else 4)


def test_what_the_player_says_of_a_model_counts_more_than_what_we_know() -> None:
    known = model_of_service(SERVICES["openai"], "gpt-5-mini")
    assert known.profile.prices is not None
    own = replace(known, prices=Prices(7.0, 8.0), context_tokens=9_000, output_tokens_max=90).profile
    assert (own.prices, own.context_tokens, own.output_tokens_max) == (Prices(7.0, 8.0), 9_000, 90)
