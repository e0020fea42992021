"""The login page for browsers that are not logged in, and the login its link leads to.

It shows nothing about any campaign and needs no script.
"""

import base64
import hashlib
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

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

ANOTHER_LINK = "<code>talewright serve --link</code>"
LOGIN_NEEDED = f"""\
<p>This server belongs to the person who started it. Open the login link that
<code>talewright serve</code> printed: it works once, within a minute. {ANOTHER_LINK} prints another.</p>
<p>Programs send the token: <code>Authorization: Bearer TOKEN</code>.</p>
<p lang="zh-CN">此服务器只供启动它的人使用。请打开 <code>talewright serve</code> 显示的登录链接：
链接一分钟内有效，只能使用一次。运行 {ANOTHER_LINK} 可以获得新的链接。</p>
"""
LINK_EXPIRED = f"""\
<p>This login link has been used already, or is older than a minute. {ANOTHER_LINK} prints another.</p>
<p lang="zh-CN">此登录链接已使用过，或已超过一分钟。运行 {ANOTHER_LINK} 可以获得新的链接。</p>
"""


def ask_for_login() -> Response:
    """The page for someone who is not logged in."""
    return show_login_page(LOGIN_NEEDED, 401, {"WWW-Authenticate": "Bearer"})


def make_login_routes(login: BrowserLogin) -> list[Route]:
    """The route that login links open, and the one that logs a browser out."""

    async def log_in(request: Request) -> Response:
        if request.method == "HEAD":
            # Programs that only check a link must not use it up.
            return show_login_page("")
        cookie = await login.begin_session(request.query_params.get("code", ""))
        if cookie is None:
            return show_login_page(LINK_EXPIRED, 401, {"WWW-Authenticate": "Bearer"})
        return RedirectResponse("/", 303, {"Set-Cookie": cookie})

    async def log_out(request: Request) -> Response:
        return RedirectResponse("/", 303, {"Set-Cookie": login.end_session(), **LOGGED_OUT})

    return [
        Route(LOGIN_PATH, log_in, methods=["GET"]),
        Route(LOGOUT_PATH, log_out, methods=["POST"]),
    ]


def show_login_page(body: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A page in the style of the login page."""
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>Talewright</title><style>{STYLE}</style></head>'
        f"<body><main><h1>Talewright</h1>{body}</main></body></html>"
    )
    return HTMLResponse(text, status, {"Content-Security-Policy": LOGIN_POLICY, **(headers or {})})
