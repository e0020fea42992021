"""Access grants: the owner may do everything, a narrower token has one role in one campaign."""

import base64
import json

import pytest

from talewright.faces.http.access_grants import GRANTED_ROLES, AccessDenied, AccessGrant, AccessRules
from talewright.faces.http.signed_values import TEXT_LENGTH_MAX, ValueSigner
from talewright.play.campaign_view import Viewer

OWNER = "the-token-of-the-owner"
COOKIE = "talewright_1=good"


def make_rules(secret: bytes = b"secret") -> AccessRules:
    return AccessRules(lambda given: given == OWNER, secret, lambda cookies: cookies == COOKIE)


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


@pytest.mark.parametrize("role", GRANTED_ROLES)
def test_the_owner_picks_a_role(role: Viewer) -> None:
    assert make_rules().read_grant(bearer(OWNER), role) == AccessGrant(role=role, is_owner=True)
    assert make_rules().read_grant({"authorization": f"bearer  {OWNER}"}).role is Viewer.PLAYER


@pytest.mark.parametrize("role", GRANTED_ROLES)
@pytest.mark.parametrize("asked", GRANTED_ROLES)
def test_a_narrower_token_keeps_its_role_and_campaign(role: Viewer, asked: Viewer) -> None:
    rules = make_rules()
    grant = rules.read_grant(bearer(rules.make_token("Nebel im Hafen 雾港", role)), asked)
    assert grant == AccessGrant(role=role, campaign="Nebel im Hafen 雾港")
    assert grant.covers("Nebel im Hafen 雾港")
    assert not grant.covers("other")
    assert not grant.covers("")


def test_every_process_knows_a_token_and_a_new_owner_token_revokes_it() -> None:
    token = make_rules().make_token("one", Viewer.MASTER)
    assert make_rules().read_token(token) == AccessGrant(role=Viewer.MASTER, campaign="one")
    assert make_rules(b"another").read_token(token) is None
    assert make_rules().make_token("one", Viewer.MASTER) != token


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": ""},
        {"authorization": OWNER},
        {"authorization": f"Basic {OWNER}"},
        {"authorization": "Bearer"},
        {"authorization": f"Bearer {OWNER}x"},
        {"cookie": "talewright_1=bad"},
        {"cookie": COOKIE, "authorization": "Bearer wrong"},
        {"cookie": COOKIE, "sec-fetch-site": "same-site"},
        {"cookie": COOKIE, "sec-fetch-site": "cross-site"},
    ],
)
def test_all_others_are_denied(headers: dict[str, str]) -> None:
    with pytest.raises(AccessDenied) as caught:
        make_rules().read_grant(headers)
    assert OWNER not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize("site", [{}, {"sec-fetch-site": "none"}, {"sec-fetch-site": "same-origin"}])
def test_the_cookie_is_the_owner_on_our_own_pages(site: dict[str, str]) -> None:
    assert make_rules().read_grant({"cookie": COOKIE, **site}) == AccessGrant(
        role=Viewer.PLAYER, is_owner=True
    )


def test_nobody_is_an_operator() -> None:
    rules = make_rules()
    with pytest.raises(AccessDenied):
        rules.read_grant(bearer(OWNER), Viewer.OPERATOR)
    with pytest.raises(ValueError, match="no token"):
        rules.make_token("one", Viewer.OPERATOR)
    with pytest.raises(ValueError, match="no token"):
        rules.make_token("", Viewer.PLAYER)
    signer = ValueSigner(b"secret", "tw1")
    assert rules.read_token(signer.write({"campaign": "one", "role": "operator", "id": "x"})) is None
    assert rules.read_token(signer.write({"campaign": "", "role": "player", "id": "x"})) is None


def test_a_changed_token_is_nothing() -> None:
    rules = make_rules()
    token = rules.make_token("one", Viewer.PLAYER)
    head, body, signature = token.split(".")
    value = json.loads(base64.urlsafe_b64decode(f"{body}=="))
    other = base64.urlsafe_b64encode(json.dumps({**value, "role": "author"}).encode()).decode().rstrip("=")
    for changed in (
        f"{head}.{other}.{signature}",
        f"{head}.{body}.",
        f"{head}.{body}",
        f"{head}..{signature}",
        f"tw2.{body}.{signature}",
        f"{token}=",
        f"{token}.x",
        f" {token}",
        f"{token}\u00e9",
        *(token[:cut] for cut in range(len(token))),
    ):
        assert rules.read_token(changed) is None, changed


def test_values_of_another_purpose_or_shape_are_not_read() -> None:
    signer = ValueSigner(b"secret", "one")
    assert signer.read(signer.write({"a": 1})) == {"a": 1}
    assert ValueSigner(b"secret", "two").read(signer.write({"a": 1}).replace("one.", "two.")) is None
    assert signer.read(signer.write({"a": "x" * TEXT_LENGTH_MAX})) is None
    for body in ("W10", "bm8", "_w", "A"):
        assert signer.read(f"one.{body}.{signer._sign(body)}") is None
