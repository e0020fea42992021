"""Page requests: only the owner reaches a page, errors are pages too, and forms have size limits.

Visitors who are not logged in are shown how to log in.
"""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Generic, TypeAlias, TypeVar
from urllib.parse import parse_qsl
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from talewright.common.word_catalogues import find_word
from talewright.errors import TalewrightError
from talewright.faces.http.access_grants import AccessDenied
from talewright.faces.http.api_services import ApiServices, has_owners, services_of
from talewright.faces.http.guards.login_page import ask_for_login
from talewright.faces.http.owners.token_login import ask_for_token
from talewright.faces.http.problems import STATUSES, NotFoundError, answer_error, retry_header
from talewright.faces.web.display_choices import DisplayChoices, read_display
from talewright.faces.web.page_templates import render_page
from talewright.faces.web.web_words import error_sentence, web_words
from talewright.play.campaign_view import Viewer
from talewright.play.error_codes import code_of
from talewright.play.serving.session_pool import SessionPool
from talewright.play.wire.view_codec import WireError

T = TypeVar("T")

FORM_FIELDS_MAX = 16
FORM_TYPE = "application/x-www-form-urlencoded"

SEE_OTHER = 303
PageHandler: TypeAlias = Callable[[Request], Awaitable[Response]]


def redirect(path: str, headers: Mapping[str, str] | None = None) -> RedirectResponse:
    """The response to a form: a redirect to a path."""
    return RedirectResponse(path, SEE_OTHER, headers)


def display_of(request: Request) -> DisplayChoices:
    """The visitor's display choices."""
    return read_display(request.cookies, request.headers.get("accept-language", ""))


def owner_page(handle: PageHandler) -> PageHandler:
    """A handler that only the owner reaches, and whose errors are pages."""

    async def check(request: Request) -> Response:
        try:
            services = services_of(request)
            grant = await services.rules.read_grant(request.headers, Viewer.PLAYER)
        except AccessDenied:
            return ask_for_token() if has_owners(request) else ask_for_login(request.headers.get("host", ""))
        if not grant.is_owner:
            return answer_error(NotFoundError())
        try:
            await services.counts.count_request()
            return await handle(request)
        except TalewrightError as error:
            return show_error(request, error)

    return check


def show_error(request: Request, error: TalewrightError) -> Response:
    """The page of an error: in plain words if there are any, otherwise with the engine's message."""
    display = display_of(request)
    code = code_of(error)
    status = STATUSES[code]
    words, sentence = web_words(display.language), error_sentence(code, display.language)
    plain = status == HTTPStatus.NOT_FOUND and find_word("web_errors", code, words.language)
    page = render_page(
        "error.html", words, display, "/", status=status, error=error, sentence=sentence, plain=plain
    )
    page.headers.update(retry_header(error))
    return page


def show_missing(request: Request) -> Response:
    """The page for an address without a page."""
    return show_error(request, NotFoundError())


def unreadable(
    message: str = "this form cannot be read", hint: str = "Go back to the page and try again."
) -> WireError:
    """The error for a form that cannot be read, with what to do next."""
    error = WireError(message)
    error.hint = hint
    return error


async def read_form(request: Request, *names: str) -> dict[str, str]:
    """The fields of a form, limited to these names."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM_TYPE:
        raise WireError(f"this is not a form; send it as {FORM_TYPE}")
    body = (await request.body()).decode("utf-8", "replace")
    try:
        pairs = parse_qsl(body, keep_blank_values=True, max_num_fields=FORM_FIELDS_MAX)
    except ValueError as error:
        raise unreadable() from error
    # Browsers end the lines of a text with CR LF.
    return {name: value.replace("\r\n", "\n") for name, value in pairs if name in names}


class KeptByOwner(Generic[T]):
    """What pages remember between requests: one value for each owner, dropped together with the owner's
    sessions. No other cache of the pages may hold anything of an owner.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._values: WeakKeyDictionary[SessionPool, T] = WeakKeyDictionary()

    @property
    def count(self) -> int:
        """How many owners have a value."""
        return len(self._values)

    def find(self, services: ApiServices) -> T:
        """The value of the owner with these services; made on first use."""
        pool = services.pool
        if pool not in self._values:
            self._values[pool] = self._make()
        return self._values[pool]
