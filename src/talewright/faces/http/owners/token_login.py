"""Login with a token: how an owner's browser gets its cookie on a host.

The page shows nothing about any campaign and needs no script. The token is sent only in the form's body.
"""

from collections.abc import Callable, Mapping
from html import escape
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from talewright.common.word_catalogues import interface_languages
from talewright.faces.http.guards.browser_login import (
    COOKIES_READ_MAX,
    LOGIN_PATH,
    LOGOUT_PATH,
    BrowserLogin,
    find_values,
    write_cookie,
)
from talewright.faces.http.guards.login_page import (
    LOGGED_OUT,
    LOGIN_POLICY,
    login_words,
    show_login_page,
    write_paragraphs,
)
from talewright.faces.http.signed_values import read_owner_claim
from talewright.play.serving.owner_lookup import OwnerIdentity, OwnerLookup

FIELDS_MAX = 4
TOKEN_LENGTH_MAX = 512
FORM_TYPE = "application/x-www-form-urlencoded"
TOKEN_POLICY = LOGIN_POLICY.replace("form-action 'none'", "form-action 'self'")

TOKEN_FORM = """\
<form method="post" action="{path}">
<p><label>{token}
<input type="password" name="token" required autocomplete="current-password"></label></p>
<p><button>{log_in}</button></p>
</form>
"""


def ask_for_token(*, unknown: bool = False, status: int = 401) -> Response:
    """The page for someone who is not logged in on a host."""
    # Without a referrer, browsers send forms with the origin `null`, which the guards refuse.
    headers = {"Content-Security-Policy": TOKEN_POLICY, "Referrer-Policy": "same-origin"}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    told = write_paragraphs(lambda words: words.token_unknown, ' role="alert"') if unknown else []
    told += write_paragraphs(lambda words: words.token_needed)
    spoken = [login_words(language) for language in interface_languages()]
    form = TOKEN_FORM.format(
        path=LOGIN_PATH,
        token=escape(" · ".join(words.token for words in spoken)),
        log_in=escape(" · ".join(words.log_in for words in spoken)),
    )
    return show_login_page("".join([*told, form]), status, headers)


def make_token_login_routes(
    lookup: OwnerLookup, login_of: Callable[[OwnerIdentity], BrowserLogin], cookie: str
) -> list[Route]:
    """The login page, the form it sends, and logging out."""

    async def show(request: Request) -> Response:
        return ask_for_token(status=200)

    async def log_in(request: Request) -> Response:
        token = _read_token(request.headers, await request.body())
        owner = await lookup.find_by_token(token) if token else None
        if owner is None:
            return ask_for_token(unknown=True)
        return RedirectResponse("/", 303, {"Set-Cookie": login_of(owner).start_session()})

    async def log_out(request: Request) -> Response:
        values = find_values(request.headers.get("cookie", ""), cookie)
        for value in values[:COOKIES_READ_MAX]:
            owner = await lookup.find_by_id(read_owner_claim(value))
            if owner is not None:
                await login_of(owner).end_session(f"{cookie}={value}")
        return RedirectResponse("/", 303, {"Set-Cookie": write_cookie(cookie, "", 0), **LOGGED_OUT})

    return [
        Route(LOGIN_PATH, show, methods=["GET"]),
        Route(LOGIN_PATH, log_in, methods=["POST"]),
        Route(LOGOUT_PATH, log_out, methods=["POST"]),
    ]


def _read_token(headers: Mapping[str, str], body: bytes) -> str:
    """The token of a form; empty if there is none."""
    if headers.get("content-type", "").partition(";")[0].strip().lower() != FORM_TYPE:
        return ""
    try:
        fields = dict(parse_qsl(body.decode("utf-8", "replace"), max_num_fields=FIELDS_MAX))
    except ValueError:
        return ""
    token = fields.get("token", "").strip()
    return token if len(token) <= TOKEN_LENGTH_MAX else ""
