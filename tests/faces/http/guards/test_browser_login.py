"""Browser login: a code works once and for a minute, and the cookie is neither the token nor forgeable."""

import asyncio
from http.cookies import SimpleCookie

import pytest

from talewright.faces.http.guards.browser_login import (
    CODE_SECONDS_MAX,
    BrowserLogin,
    SpentIdsInMemory,
)
from talewright.faces.http.signed_values import read_owner_claim

PORT = 8734
MONTH_SECONDS = 2_592_000


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def begin(login: BrowserLogin, code: str) -> str | None:
    return asyncio.run(login.begin_session(code))


def is_in(login: BrowserLogin, cookies: str) -> bool:
    return asyncio.run(login.is_logged_in(cookies))


def test_a_session_that_was_ended_is_over_in_any_process() -> None:
    clock, spent = Clock(), SpentIdsInMemory()
    first, second = (BrowserLogin(b"secret", PORT, clock, spent) for _ in range(2))
    ended, kept = ((begin(first, first.make_code()) or "").partition(";")[0] for _ in range(2))
    header = asyncio.run(first.end_session(f"x=y; {ended}; {first.cookie}=forged"))
    assert header.startswith(f"{first.cookie}=; Path=/; Max-Age=0; ")
    for login in (first, second):
        assert not is_in(login, ended)
        assert is_in(login, kept)
        assert is_in(login, f"{ended}; {kept}")
    # Whoever brings no session of ours ends none.
    for cookies in ("", first.cookie, f"{first.cookie}=forged", kept.replace("=", "x=", 1)):
        asyncio.run(second.end_session(cookies))
    assert is_in(first, kept)
    asyncio.run(second.end_session(kept))
    assert not is_in(first, f"{ended}; {kept}")


def test_a_code_works_once_in_any_process() -> None:
    clock, used = Clock(), SpentIdsInMemory()
    first, second = (BrowserLogin(b"secret", PORT, clock, used) for _ in range(2))
    code = first.make_link("http://127.0.0.1:8734").removeprefix("http://127.0.0.1:8734/login?code=")
    cookie = begin(second, code)
    assert cookie is not None
    assert begin(first, code) is None
    assert begin(second, code) is None
    assert is_in(first, cookie.partition(";")[0])


def test_a_code_works_for_a_minute_and_a_session_for_a_month() -> None:
    clock = Clock()
    login = BrowserLogin(b"secret", PORT, clock)
    code, late = login.make_code(), login.make_code()
    clock.now += CODE_SECONDS_MAX - 1
    cookie = (begin(login, code) or "").partition(";")[0]
    clock.now += 1
    assert begin(login, late) is None
    clock.now += MONTH_SECONDS - 2
    assert is_in(login, cookie)
    clock.now += 1
    assert not is_in(login, cookie)


def test_used_codes_are_forgotten_when_they_are_too_old_anyway() -> None:
    async def run() -> None:
        used = SpentIdsInMemory()
        assert await used.spend("a", 60, 0)
        assert not await used.spend("a", 60, 59)
        assert await used.spend("b", 120, 60)
        assert list(used._until) == ["b"]

    asyncio.run(run())


def test_the_cookie_is_hidden_from_scripts_and_other_sites() -> None:
    login = BrowserLogin(b"secret", PORT, Clock())
    header = begin(login, login.make_code())
    (name, morsel), *more = SimpleCookie(header).items()
    assert not more
    assert name == login.cookie == f"talewright_{PORT}"
    assert morsel["httponly"] is True
    assert (morsel["samesite"], morsel["path"], morsel["max-age"]) == (
        "Strict",
        "/",
        str(MONTH_SECONDS),
    )
    assert morsel["domain"] == ""


def test_a_cookie_says_whose_it_is_where_there_are_many_owners() -> None:
    for owner in ("ann", ""):
        login = BrowserLogin(b"secret", PORT, Clock(), owner=owner)
        value = login.start_session().partition(";")[0].partition("=")[2]
        assert read_owner_claim(value) == owner
    alone = BrowserLogin(b"secret", PORT, Clock()).start_session().partition(";")[0].partition("=")[2]
    assert read_owner_claim(alone) == ""


def test_only_our_own_cookie_counts() -> None:
    login = BrowserLogin(b"secret", PORT, Clock())
    good = (begin(login, login.make_code()) or "").partition(";")[0]
    name, _, value = good.partition("=")
    for cookies in ("", "=", name, f"{name}=", f"{name}={value}x", f"talewright_1={value}", f"x={value}"):
        assert not is_in(login, cookies), cookies
    # A page of another port added one of the same name.
    assert is_in(login, f"a=b; {name}=forged; {good}; c")
    for other in (BrowserLogin(b"another", PORT, Clock()), BrowserLogin(b"secret", 1, Clock())):
        foreign = (begin(other, other.make_code()) or "").partition(";")[0].partition("=")[2]
        assert not is_in(login, f"{name}={foreign}")


@pytest.mark.parametrize("purpose", ["code", "session"])
def test_codes_and_sessions_are_not_taken_for_each_other(purpose: str) -> None:
    login = BrowserLogin(b"secret", PORT, Clock())
    code = login.make_code()
    session = (begin(login, login.make_code()) or "").partition(";")[0].partition("=")[2]
    if purpose == "code":
        assert begin(login, session) is None
    else:
        assert not is_in(login, f"{login.cookie}={code}")
