"""Access grants: the owner may do everything, a narrower token has one role in one campaign."""

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable

import pytest

from talewright.faces.http.access_grants import (
    DAY_SECONDS,
    GRANTED_ROLES,
    TOKEN_DAYS,
    TOKEN_DAYS_MAX,
    AccessDenied,
    AccessGrant,
    AccessRules,
)
from talewright.faces.http.signed_values import TEXT_LENGTH_MAX, ValueSigner, read_owner_claim
from talewright.play.campaign_view import Viewer

OWNER = "the-token-of-the-owner"
COOKIE = "talewright_1=good"


NOW = 1_800_000_000


async def is_ours(cookies: str) -> bool:
    return cookies == COOKIE


async def find_birth(campaign: str) -> str:
    return f"the birth of {campaign}" if campaign != "missing" else ""


def make_rules(
    secret: bytes = b"secret",
    birth: Callable[[str], Awaitable[str]] = find_birth,
    now: Callable[[], float] = lambda: NOW,
) -> AccessRules:
    return AccessRules(lambda given: given == OWNER, secret, is_ours, find_birth=birth, now=now)


def read(rules: AccessRules, headers: dict[str, str], role: Viewer = Viewer.PLAYER) -> AccessGrant:
    return asyncio.run(rules.read_grant(headers, role))


def read_token(rules: AccessRules, token: str) -> AccessGrant | None:
    return asyncio.run(rules.read_token(token))


def make_token(rules: AccessRules, campaign: str, role: Viewer, days: int = TOKEN_DAYS) -> str:
    made = asyncio.run(rules.make_token(campaign, role, days))
    assert made is not None
    return made.text


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


@pytest.mark.parametrize("role", GRANTED_ROLES)
def test_the_owner_picks_a_role(role: Viewer) -> None:
    assert read(make_rules(), bearer(OWNER), role) == AccessGrant(role=role, is_owner=True)
    assert read(make_rules(), {"authorization": f"bearer  {OWNER}"}).role is Viewer.PLAYER


@pytest.mark.parametrize("role", GRANTED_ROLES)
@pytest.mark.parametrize("asked", GRANTED_ROLES)
def test_a_narrower_token_keeps_its_role_and_campaign(role: Viewer, asked: Viewer) -> None:
    rules = make_rules()
    grant = read(rules, bearer(make_token(rules, "Nebel im Hafen 雾港", role)), asked)
    assert grant == AccessGrant(role=role, campaign="Nebel im Hafen 雾港", birth=grant.birth)
    assert grant.covers("Nebel im Hafen 雾港")
    assert not grant.covers("other")
    assert not grant.covers("")


def test_every_process_knows_a_token_and_a_new_owner_token_revokes_it() -> None:
    token = make_token(make_rules(), "one", Viewer.MASTER)
    grant = read_token(make_rules(), token)
    assert grant is not None
    assert (grant.role, grant.campaign, grant.is_owner) == (Viewer.MASTER, "one", False)
    assert read_token(make_rules(b"another"), token) is None
    assert make_token(make_rules(), "one", Viewer.MASTER) != token


def test_a_token_is_for_one_campaign_of_its_name() -> None:
    births = {"one": "first"}

    async def find(campaign: str) -> str:
        return births.get(campaign, "")

    rules = make_rules(birth=find)
    token = make_token(rules, "one", Viewer.PLAYER)
    assert read_token(rules, token) is not None
    assert "first" not in base64.urlsafe_b64decode(f"{token.split('.')[1]}==").decode()
    for birth in ("", "second", "FIRST"):
        births["one"] = birth
        assert read_token(rules, token) is None
    births.clear()
    assert read_token(rules, token) is None
    assert asyncio.run(rules.make_token("one", Viewer.PLAYER)) is None
    births["one"] = "first"
    assert read_token(rules, token) is not None
    # Without births there are no narrower tokens at all.
    assert asyncio.run(AccessRules(lambda _: False, b"secret").read_token(token)) is None


def test_a_token_says_whose_it_is_where_there_are_many_owners() -> None:
    def make(owner: str) -> str:
        rules = AccessRules(lambda _: False, b"secret", owner=owner, find_birth=find_birth, now=lambda: NOW)
        return make_token(rules, "one", Viewer.PLAYER)

    assert read_owner_claim(make("ann")) == "ann"
    assert "owner" not in base64.urlsafe_b64decode(f"{make('').split('.')[1]}==").decode()
    for other in ("", "ann", "a.b", f"{make('ann')}.x", f"{make('ann')}\u00e9", "x" * TEXT_LENGTH_MAX):
        assert read_owner_claim(other) == ""


def test_a_token_expires() -> None:
    times = [float(NOW)]
    rules = make_rules(now=lambda: times[0])
    made = asyncio.run(rules.make_token("one", Viewer.PLAYER, 2))
    assert made is not None
    assert made.until == NOW + 2 * DAY_SECONDS
    times[0] = made.until - 0.5
    assert read_token(rules, made.text) is not None
    times[0] = float(made.until)
    assert read_token(rules, made.text) is None


def test_a_token_without_an_end_or_a_birth_is_nothing() -> None:
    rules = make_rules()
    head, body, _ = make_token(rules, "one", Viewer.PLAYER).split(".")
    whole = json.loads(base64.urlsafe_b64decode(f"{body}=="))
    signer = ValueSigner(b"secret", head)
    assert read_token(rules, signer.write(whole)) is not None
    for name in whole:
        assert read_token(rules, signer.write({k: v for k, v in whole.items() if k != name})) is None, name
    for changed in ({"until": None}, {"until": "9999999999"}, {"until": 0}, {"birth": ""}, {"birth": None}):
        assert read_token(rules, signer.write({**whole, **changed})) is None, changed


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
        read(make_rules(), headers)
    assert OWNER not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize("site", [{}, {"sec-fetch-site": "none"}, {"sec-fetch-site": "same-origin"}])
def test_the_cookie_is_the_owner_on_our_own_pages(site: dict[str, str]) -> None:
    assert read(make_rules(), {"cookie": COOKIE, **site}) == AccessGrant(role=Viewer.PLAYER, is_owner=True)


def test_nobody_is_an_operator() -> None:
    rules = make_rules()
    with pytest.raises(AccessDenied):
        read(rules, bearer(OWNER), Viewer.OPERATOR)
    with pytest.raises(ValueError, match="no token"):
        make_token(rules, "one", Viewer.OPERATOR)
    with pytest.raises(ValueError, match="no token"):
        make_token(rules, "", Viewer.PLAYER)
    for days in (0, -1, TOKEN_DAYS_MAX + 1):
        with pytest.raises(ValueError, match="no token"):
            make_token(rules, "one", Viewer.PLAYER, days)
    head, body, _ = make_token(rules, "one", Viewer.PLAYER).split(".")
    whole = json.loads(base64.urlsafe_b64decode(f"{body}=="))
    signer = ValueSigner(b"secret", head)
    assert read_token(rules, signer.write({**whole, "role": "operator"})) is None
    assert read_token(rules, signer.write({**whole, "campaign": ""})) is None


def test_a_changed_token_is_nothing() -> None:
    rules = make_rules()
    token = make_token(rules, "one", Viewer.PLAYER)
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
        assert read_token(rules, changed) is None, changed


def test_values_of_another_purpose_or_shape_are_not_read() -> None:
    signer = ValueSigner(b"secret", "one")
    assert signer.read(signer.write({"a": 1})) == {"a": 1}
    assert ValueSigner(b"secret", "two").read(signer.write({"a": 1}).replace("one.", "two.")) is None
    assert signer.read(signer.write({"a": "x" * TEXT_LENGTH_MAX})) is None
    deep = base64.urlsafe_b64encode(b"[" * 1400).decode().rstrip("=")
    for body in ("W10", "bm8", "_w", "A", deep):
        assert read_owner_claim(f"one.{body}.x") == ""
        assert signer.read(f"one.{body}.{signer._sign(body)}") is None
