"""The HTTP service: the MCP server behind a bearer token, for both protocols on one endpoint.

No request needs an earlier one: any process that shares the saves and the token can answer it. Requests with
a foreign Host or Origin are refused: only those of this machine, and a host's public address, are served.
"""

from collections.abc import Callable, Mapping
from typing import Any

from mcp.server import Server
from mcp.server.auth.provider import AccessToken as GrantedAccess
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.applications import Starlette

HOST = "127.0.0.1"
PATH = "/mcp"
CLIENT = "talewright"
"""The one client that a token stands for: its owner."""

BODY_BYTES_MAX = 1024 * 1024


class TokenCheck:
    """Lets in requests that carry the token; a `TokenVerifier`."""

    def __init__(self, matches: Callable[[str], bool]) -> None:
        self._matches = matches

    async def verify_token(self, token: str) -> GrantedAccess | None:
        """What the token allows; None if it is another."""
        return GrantedAccess(token="", client_id=CLIENT, scopes=[]) if self._matches(token) else None


def make_http_app(
    server: Server[Any],
    port: int,
    matches: Callable[[str], bool],
    public: Mapping[str, str] | None = None,
) -> Starlette:
    """The application that serves on a port of this machine, and under public hosts with their origins."""
    names = (HOST, "localhost", "[::1]")
    origins = {**{f"{name}:{port}": f"http://{name}:{port}" for name in names}, **(public or {})}
    security = TransportSecuritySettings(allowed_hosts=list(origins), allowed_origins=list(origins.values()))
    return server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=BODY_BYTES_MAX,
        transport_security=security,
        auth=AuthSettings(issuer_url=AnyHttpUrl(f"http://{HOST}:{port}"), resource_server_url=None),
        token_verifier=TokenCheck(matches),
    )
