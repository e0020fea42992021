"""The route of token proofs: a client learns whether this server knows its token before it sends it.

Anyone may ask. An answer shows neither the token nor anything of a campaign.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, TypeAlias

from fastapi import FastAPI, Query, Request
from starlette.responses import Response

from talewright.faces.http.access_grants import AccessRules
from talewright.faces.http.json_answers import answer
from talewright.faces.http.problems import NotFoundError
from talewright.faces.http.response_models import PROBLEMS, TokenProof
from talewright.faces.http.signed_values import TEXT_LENGTH_MAX, read_owner_claim
from talewright.play.serving.owner_lookup import OwnerIdentity, OwnerLookup
from talewright.play.wire.token_proof import (
    NARROW_TOKEN,
    NONCE_LENGTH_MAX,
    PROOF_PATH,
    hash_token,
    identify_hash,
    prove_token,
)

FindTokenHash: TypeAlias = Callable[[str], Awaitable[bytes | None]]
"""Finds the hash of a token by the token's id."""


async def find_no_token(token_id: str) -> bytes | None:
    """Know no token: nothing is proven."""
    return None


def find_own_token(token_hash: bytes, rules: AccessRules) -> FindTokenHash:
    """Find the token of a server for one person, and the narrower ones that it has signed."""

    async def find(token_id: str) -> bytes | None:
        if _is_narrow(token_id):
            return _hash_narrow(token_id, rules)
        return token_hash if token_id == identify_hash(token_hash) else None

    return find


def find_owner_token(lookup: OwnerLookup, rules_of: Callable[[OwnerIdentity], AccessRules]) -> FindTokenHash:
    """Find the tokens of all owners of a host, and the narrower ones that they have signed."""

    async def find(token_id: str) -> bytes | None:
        if not _is_narrow(token_id):
            owner = await lookup.find_by_token_id(token_id)
            return None if owner is None else owner.token_hash
        owner = await lookup.find_by_id(read_owner_claim(f"{token_id}."))
        return None if owner is None else _hash_narrow(token_id, rules_of(owner))

    return find


def add_proof_route(app: FastAPI, prefix: str, find_hash: FindTokenHash) -> None:
    """Add the route to an application."""

    @app.get(
        prefix + PROOF_PATH,
        summary="Ask whether the server knows a token",
        tags=["server"],
        response_model=TokenProof,
        responses=PROBLEMS,
    )
    async def prove(
        request: Request,
        token: Annotated[str, Query(max_length=TEXT_LENGTH_MAX, description="The id of a token.")],
        nonce: Annotated[
            str,
            Query(min_length=16, max_length=NONCE_LENGTH_MAX, description="Random, new for each request."),
        ],
    ) -> Response:
        """Needs no token.

        The id of a token is the SHA-256 of `talewright token id:` and the SHA-256 of the token, in
        hexadecimal digits; that of a narrower token is the token without its last dot and what follows. The
        proof is the HMAC-SHA256 of `talewright token proof`, the nonce and the Host header, separated by zero
        bytes; its key is the SHA-256 of the token.
        """
        known = await find_hash(token)
        if known is None:
            raise NotFoundError
        return answer(TokenProof(prove_token(known, nonce, request.headers.get("host", ""))))


def _is_narrow(token_id: str) -> bool:
    return token_id.startswith(f"{NARROW_TOKEN}.")


def _hash_narrow(token_id: str, rules: AccessRules) -> bytes | None:
    completed = rules.complete_token(token_id)
    return None if completed is None else hash_token(completed)
