"""Host addresses: databases, Redis, public address and model servers, from the environment and the flags.

Nothing is connected here.
"""

import ipaddress
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from talewright.bootstrap import has_models, open_provider_factory
from talewright.common.frozen_values import frozen
from talewright.errors import SettingsError
from talewright.hosting.database_addresses import name_connections
from talewright.providers.outgoing_addresses import OutgoingAddresses, read_allowed_servers
from talewright.stores.postgres.shards import DATABASE_URL, parse_shards

if TYPE_CHECKING:
    from talewright.bootstrap.provider_factory import ProviderFactory

REDIS_URL = "REDIS_URL"
MODEL_SERVERS = "TALEWRIGHT_MODEL_SERVERS"
"""The variable with the model servers that may be used."""

TRUSTED_PROXIES = "TALEWRIGHT_TRUSTED_PROXIES"
"""The variable with the proxies that say which address a request comes from."""

HELP = "See docs/run/hosting.md for the settings of a host."
PORT_MAX = 65_535
BIND = "127.0.0.1:8734"
"""Where a node listens by default: behind a proxy on the same machine."""


def find_system_url(environment: Mapping[str, str]) -> str:
    """The database with the turn queues: the first one."""
    return parse_shards(require_setting(environment, DATABASE_URL)).databases[0]


def name_process(environment: Mapping[str, str], role: str) -> Mapping[str, str]:
    """The environment with a name for the connections of this process to its databases."""
    addresses = name_connections(environment.get(DATABASE_URL, ""), f"talewright-{role}")
    return {**environment, DATABASE_URL: addresses}


def find_redis_url(environment: Mapping[str, str]) -> str:
    """The address of Redis."""
    return require_setting(environment, REDIS_URL)


@frozen
class PublicAddress:
    """The address under which players reach a host."""

    origin: str
    """Such as `https://play.example.org`."""

    host: str
    """As browsers send it in the Host header."""


def read_public_url(text: str) -> PublicAddress:
    """Read the flag --public-url; raises SettingsError."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        raise SettingsError(
            f"{text!r} is not the address of a host",
            "Write it like https://play.example.org, without a path.",
        )
    host = parts.netloc.lower()
    return PublicAddress(f"{parts.scheme}://{host}", host)


def read_bind(text: str, what: str = "", example: str = BIND) -> tuple[str, int]:
    """Read an address and a port, such as `0.0.0.0:8734`, from the --bind flag or from the variable named by
    `what`; raises SettingsError.
    """
    host, _, port = text.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > PORT_MAX:
        raise SettingsError(f"{what or repr(text)} is not an address and a port", f"Write it like {example}.")
    return host, int(port)


def read_trusted_proxies(text: str) -> tuple[str, ...]:
    """The addresses and networks in a list, separated by commas or white space; raises SettingsError."""
    found = tuple(text.replace(",", " ").split())
    for one in found:
        try:
            ipaddress.ip_network(one)
        except ValueError:
            raise SettingsError(
                f"{TRUSTED_PROXIES} contains {one[:80]!r}, which is neither an address nor a network",
                "Write them like 10.0.0.5, 10.1.0.0/16 or fd00::/8.",
            ) from None
    return found


def require_setting(environment: Mapping[str, str], name: str) -> str:
    """The value of a variable; raises SettingsError if it is not set."""
    value = environment.get(name, "").strip()
    if not value:
        raise SettingsError(f"{name} is not set", HELP)
    return value


def open_host_models(
    environment: Mapping[str, str], *, calls_models: bool = True
) -> "ProviderFactory | None":
    """The models of a host, limited to the listed servers; None if no model is configured.

    Without a list, the servers of the configured models are allowed, if their addresses are public. A node,
    which calls no model, needs no keys.
    """
    if not has_models(environment):
        return None
    factory = open_provider_factory(environment)
    listed = environment.get(MODEL_SERVERS, "").strip() or ", ".join(list_model_servers(factory))
    outgoing = OutgoingAddresses(read_allowed_servers(listed))
    return replace(factory, outgoing=outgoing, calls_models=calls_models)


def list_model_servers(factory: "ProviderFactory") -> list[str]:
    """The servers of the configured models, without duplicates."""
    urls = (model.base_url for model in factory.loaded.settings.models.values())
    return sorted({"/".join(url.split("/", 3)[:3]) for url in urls if url})
