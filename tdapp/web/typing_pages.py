"""The answers at the address where a helper types the featured table."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tdapp.domain.slip import plain
from tdapp.web import typing_page
from tdapp.web.entering import Notice
from tdapp.web.front import Front, Write
from tdapp.web.guard import form_fields, number
from tdapp.web.typing_page import TypedGame

FEATURED_PAGE = "featured"


class TypingPages:
    """Answers to who has the code of the featured table; turns go through `write`, None where nobody types."""

    def __init__(self, front: Front, write: Write | None) -> None:
        self._front, self._write = front, write
        self.routes = (
            Route(f"/{FEATURED_PAGE}", self._ask),
            Route(f"/{FEATURED_PAGE}", self._enter, methods=["POST"]),
        )

    def asks(self, request: Request) -> bool:
        """Return whether a request comes from whoever types the featured table."""
        code = request.query_params.get("code", "")
        return bool(code) and self._typed(request, code)[0] is not None

    async def _ask(self, request: Request) -> Response:
        """Answer with the sheet of the featured table, for who has its code."""
        code = request.query_params.get("code", "")
        typed, notice = self._typed(request, code) if code else (None, None)
        return self._page(request, typed, notice, number(request.query_params.get("turn")))

    async def _enter(self, request: Request) -> Response:
        """Enter what who types has sent, and lead back to the sheet; where it cannot be, say why."""
        fields = await form_fields(request, typing_page.FIELDS, typing_page.LONGEST)
        typed, notice = self._typed(request, fields.get("code", ""), fields.get("game", ""))
        if typed is None or self._write is None:
            return self._page(request, None, notice, 0)
        try:
            await self._front.written(typing_page.command(typed, fields), self._write)
        except Exception as error:
            told = typing_page.refusal(error, typed, self._front.catalogue(request))
            return self._page(request, typed, told, 0, status=422)
        return RedirectResponse(f"{FEATURED_PAGE}?code={typed.featured.code}", status_code=303)

    def _typed(self, request: Request, code: str, meant: str = "") -> tuple[TypedGame | None, Notice | None]:
        """Return the game that a code lets type; who tries many others waits."""
        self._front.count_try(request)
        typed = typing_page.typed_game(self._front.shown, plain(code), meant) if self._write is not None else None
        if typed is not None:
            return typed, None
        self._front.count_wrong(request)
        return None, Notice(
            self._front.catalogue(request).text("This is not the code of the featured table."), "red"
        )

    def _page(
        self, request: Request, typed: TypedGame | None, notice: Notice | None, editing: int, *, status: int = 200
    ) -> Response:
        catalogue = self._front.catalogue(request)
        values = typing_page.page(self._front.shown, catalogue, typed, notice, editing)
        made = self._front.context.templates.page("featured.html", catalogue, **values)
        status = 403 if notice is not None and typed is None else status
        return Response(made, status, {"Cache-Control": "no-store"}, "text/html")
