"""Token proofs: how a server shows that it knows a token without being sent it.

The client sends the id of its token and a random nonce; the server answers with a keyed hash over the nonce
and the host that the client named, so that no other program can borrow the proof for an address of its own.
Neither the id nor a proof helps to find out the token.
"""

import hashlib
import hmac
import secrets

PROOF_PATH = "/proof"
"""Below `/api`."""

NARROW_TOKEN = "tw1"
"""The prefix of narrower tokens, which have a body and a signature, separated by dots."""

NONCE_BYTES = 16
NONCE_LENGTH_MAX = 128
TOKEN_ID_WORDS = b"talewright token id:"
"""A host finds owners by the hash over these words and the hash of a token; migration 004 has them too."""


def hash_token(token: str) -> bytes:
    """The stored form of a token. A token is random and long, so one fast hash keeps it safe."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def identify_token(token: str) -> str:
    """The id of a token; that of a narrower token is what it says, without its signature."""
    if token.startswith(f"{NARROW_TOKEN}."):
        return token.rpartition(".")[0]
    return identify_hash(hash_token(token))


def identify_hash(token_hash: bytes) -> str:
    """The id of a token, by its hash."""
    return hashlib.sha256(TOKEN_ID_WORDS + token_hash).hexdigest()


def make_nonce() -> str:
    """A nonce that was never used before."""
    return secrets.token_hex(NONCE_BYTES)


def prove_token(token_hash: bytes, nonce: str, host: str) -> str:
    """The proof for a nonce and a host, as in the Host header."""
    words = "\0".join(("talewright token proof", nonce, host.lower())).encode()
    return hmac.new(token_hash, words, hashlib.sha256).hexdigest()
