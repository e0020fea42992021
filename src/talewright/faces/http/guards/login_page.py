"""The login page for browsers that are not logged in, and the login its link leads to.

It shows nothing about any campaign and needs no script.
"""

import base64
import hashlib
from collections.abc import Callable, Mapping
from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import COMMON_LANGUAGE
from talewright.common.word_catalogues import interface_languages, load_words
from talewright.faces.http.access_grants import OWN_PAGES
from talewright.faces.http.guards.browser_login import LOGIN_PATH, LOGOUT_PATH, BrowserLogin
from talewright.faces.http.guards.request_guards import CONTENT_POLICY

STYLE = (
    ":root{color-scheme:light dark}"
    "body{max-width:36em;margin:4em auto;padding:0 1em;font:1.1em/1.6 system-ui,sans-serif}"
)
STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
LOGIN_POLICY = f"{CONTENT_POLICY}; style-src 'sha256-{STYLE_HASH}'"
"""Only the style of the page itself."""

LOGGED_OUT = {"Clear-Site-Data": '"storage"'}
"""Copies for reading offline are removed on logout. Other ports are other origins and keep theirs."""

HERE = "here"
"""The member of a login link's query that stays at the address it was opened at."""

KNOW_NAMES = ("Firefox/", "Chrome/", "Chromium/")
"""Words in the User-Agent of browsers that know that names under `localhost` are this machine."""


@frozen
class LoginWords:
    """Words of the login pages, which show every language: nobody has chosen one yet."""

    needed: str
    """With `{serve}` and `{link}`, two commands."""

    expired: str
    """With `{link}`, a command."""

    known_before: str
    """For an address other than the one under which browsers log in."""

    logged_in: str
    go_on: str
    """The link to the address under which browsers log in."""

    stay_note: str
    stay: str
    """The link that logs in at the address that the browser has."""

    token_needed: str
    token_unknown: str
    token: str
    """The label of the field."""

    log_in: str
    """The button."""


def login_words(language: str) -> LoginWords:
    """The words that best match a language."""
    return load_words(LoginWords, "login", language)


def write_paragraphs(pick: Callable[[LoginWords], str], attributes: str = "") -> list[str]:
    """A paragraph in every language, English first; the commands in it are marked as code."""
    commands = {
        "serve": "<code>talewright serve</code>",
        "link": "<code>talewright serve --link</code>",
    }
    written = []
    for language in interface_languages():
        tag = "" if language == COMMON_LANGUAGE else f' lang="{language}"'
        text = escape(pick(login_words(language)), quote=False).format_map(commands)
        written.append(f"<p{attributes}{tag}>{text}</p>\n")
    return written


def ask_for_login(host: str = "") -> Response:
    """The page for someone who is not logged in, and who named this host."""
    told = write_paragraphs(lambda words: words.needed)
    if not _is_named(host):
        before = write_paragraphs(lambda words: words.known_before)
        told = ["".join(one) for one in zip(told, before, strict=True)]
    return show_login_page("".join(told), 401, {"WWW-Authenticate": "Bearer"})


def make_login_routes(login: BrowserLogin) -> list[Route]:
    """The route that login links open, and the one that logs a browser out."""

    async def log_in(request: Request) -> Response:
        if request.method == "HEAD":
            # Programs that only check a link must not use it up.
            return show_login_page("")
        code, host = request.query_params.get("code", ""), request.headers.get("host", "").lower()
        if login.host not in ("", host) and HERE not in request.query_params:
            fresh = await login.renew_code(code)
            if fresh is None:
                return _show_expired()
            there = f"http://{login.host}{LOGIN_PATH}?code={fresh}"
            if any(name in request.headers.get("user-agent", "") for name in KNOW_NAMES):
                return RedirectResponse(there, 303)
            return _show_choice(there, f"{LOGIN_PATH}?code={login.make_code()}&{HERE}=1")
        cookie = await login.begin_session(code)
        if cookie is None:
            return _show_expired()
        if request.headers.get("sec-fetch-site", "") in OWN_PAGES:
            return RedirectResponse("/", 303, {"Set-Cookie": cookie})
        # The browser was sent here from elsewhere: only a page of our own may bring the strict cookie.
        words = "".join(write_paragraphs(lambda words: words.logged_in))
        return show_login_page(
            f'{words}<p><a href="/">Talewright</a></p>', 200, {"Set-Cookie": cookie}, leads_to="/"
        )

    async def log_out(request: Request) -> Response:
        ended = await login.end_session(request.headers.get("cookie", ""))
        return RedirectResponse("/", 303, {"Set-Cookie": ended, **LOGGED_OUT})

    return [
        Route(LOGIN_PATH, log_in, methods=["GET"]),
        Route(LOGOUT_PATH, log_out, methods=["POST"]),
    ]


def _is_named(host: str) -> bool:
    return host.partition(":")[0].endswith(".localhost")


def _show_expired() -> Response:
    expired = "".join(write_paragraphs(lambda words: words.expired))
    return show_login_page(expired, 401, {"WWW-Authenticate": "Bearer"})


def _show_choice(there: str, here: str) -> Response:
    """For a browser that may not know names under `localhost`: it can stay at the address that it has."""
    body = [
        *_write_link(there, lambda words: words.go_on),
        *write_paragraphs(lambda words: words.stay_note),
        *_write_link(here, lambda words: words.stay),
    ]
    return show_login_page("".join(body))


def _write_link(address: str, pick: Callable[[LoginWords], str]) -> list[str]:
    text = " · ".join(pick(login_words(language)) for language in interface_languages())
    return [f'<p><a href="{escape(address)}">{escape(text)}</a></p>\n']


def show_login_page(
    body: str, status: int = 200, headers: Mapping[str, str] | None = None, *, leads_to: str = ""
) -> Response:
    """A page in the style of the login page, which may lead to the next one without being asked."""
    refresh = f'<meta http-equiv="refresh" content="0;url={escape(leads_to)}">' if leads_to else ""
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width">{refresh}<title>Talewright</title><style>{STYLE}</style></head>'
        f"<body><main><h1>Talewright</h1>{body}</main></body></html>"
    )
    return HTMLResponse(text, status, {"Content-Security-Policy": LOGIN_POLICY, **(headers or {})})
