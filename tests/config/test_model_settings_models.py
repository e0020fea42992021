"""Models: what a service gives to a model of its own."""

from talewright.config.model_settings import find_service, known_services, model_of_service


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
