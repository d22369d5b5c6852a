"""The pages on which people set up camera and light, under /camera."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template
from flask.typing import ResponseReturnValue

from companion.eye.check import TrayCheck
from web.guard import Refusal


def check_pages(check: TrayCheck) -> Blueprint:
    """Return the pages; the Table page links to them."""
    pages = Blueprint("camera", __name__, url_prefix="/camera", template_folder="pages")

    @pages.get("")
    def show() -> ResponseReturnValue:
        return render_template("camera.html", seen=check.look(), trouble=check.trouble)

    @pages.get("/still/<int:number>.jpg")
    def still(number: int) -> ResponseReturnValue:
        jpeg = check.still(number)
        if jpeg is None:
            raise Refusal(404, "picture")
        kept = {"Cache-Control": "private, max-age=60, immutable"}
        return Response(jpeg, mimetype="image/jpeg", headers=kept)

    @pages.post("/keep")
    def keep() -> ResponseReturnValue:
        if not check.keep():
            raise Refusal(409, "unseen_tray")
        return redirect("/camera", 303)

    @pages.post("/anew")
    def anew() -> ResponseReturnValue:
        check.measure_anew()
        return redirect("/camera", 303)

    _ = (show, still, keep, anew)
    return pages
