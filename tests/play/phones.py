"""A phone at the table, in a browser of its own: sits down, answers what is asked, takes throws.

It taps what people tap, on the page that keeps itself up to date; it loads no page anew to answer.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

from playwright.sync_api import APIResponse, Browser, Locator, Page, Response, ViewportSize, expect

from companion.terms import Cards, Done, Filled, Number, Picked, Placed, Value

PHONE: ViewportSize = {"width": 390, "height": 844}
WALL: ViewportSize = {"width": 1920, "height": 1080}
LONG = 30_000
"""Milliseconds to wait for what a device must bring; generous."""
_WORDLESS = re.compile(
    r"\b(?:act|box|event|fact|field|group|how|objection|phase|question|store|table|web|word)"
    r"\.[a-z][A-Za-z_.]+"
)
"""A key of the word files that stands where its words should."""
_SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"
_UP_TO_DATE = """async () => {
    const page = document.getElementById("page"), there = await (await fetch("/rev")).json();
    return "still" in page.dataset || page.dataset.rev === String(there.rev);
}"""


class Looker:
    """A browser that looks at the table's pages, and what its console complained about."""

    def __init__(
        self, browser: Browser, address: str, size: ViewportSize, locale: str = "en-GB"
    ) -> None:
        self.address = address
        self.context = browser.new_context(viewport=size, locale=locale)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(LONG)
        self.complaints: list[str] = []
        self.page.on(
            "console",
            lambda told: self.complaints.append(told.text) if told.type == "error" else None,
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, path: str) -> Page:
        """Load a page."""
        self.page.goto(self.address + path)
        return self.page

    def load(self, path: str) -> APIResponse:
        """Load what this browser may see there, beside its page."""
        return self.context.request.get(f"{self.address}/{path}")

    def catch_up(self) -> None:
        """Wait until the page shows the table's present revision."""
        end = time.monotonic() + LONG / 1000
        while not self.page.evaluate(_UP_TO_DATE):
            assert time.monotonic() < end, f"{self.page.url} does not catch up"
            self.page.wait_for_timeout(20)

    def press(self, button: Locator) -> None:
        """Press a button and wait until the table has taken it and the page shows it."""
        with self.page.expect_response(_settles) as posted:
            button.click()
        self.catch_up()
        assert posted.value.status == 303, self.page.locator("#objection, #trouble").inner_text()
        assert "moved_on" not in posted.value.headers["location"], "the table had moved on"

    def look_over(self, name: str, folder: Path | None) -> None:
        """Look whether the page fits and has all its words; keep a picture of it in a folder."""
        assert self.page.evaluate(_SIDEWAYS) <= 0, f"{name}: {self.page.url} scrolls sideways"
        wordless = _WORDLESS.findall(self.page.locator("body").inner_text())
        assert not wordless, f"{name}: {self.page.url}"
        if folder is not None:
            self.page.screenshot(path=folder / f"{name}.png")
            self.page.screenshot(path=folder / f"{name}-whole.png", full_page=True)


class Phone(Looker):
    """A phone that holds a seat."""

    def __init__(
        self, browser: Browser, address: str, seat: str, person: str, locale: str = "en-GB"
    ) -> None:
        super().__init__(browser, address, PHONE, locale)
        self.seat = seat
        self.open("/seats")
        self.page.click(f"#seat-{seat}")
        self.page.fill("#person", person)
        self.page.click("#sit")
        self.page.wait_for_url("**/now*")

    def go(self, tab: str) -> Page:
        """Tap one of the four tabs: now, board, table, story."""
        if self.page.url.partition("?")[0] != f"{self.address}/{tab}":
            self.page.click(f"#tab-{tab}")
            self.page.wait_for_url(f"**/{tab}*")
        self.catch_up()
        return self.page

    # ---- answering

    def answer(self, key: str, value: Value) -> None:
        """Answer a question where it stands on the Now page."""
        asked = self.asked(key)
        match value:
            case Done():
                self.press(asked if _is_button(asked) else asked.locator("button[name=done]").last)
            case Picked((id,)) | Cards((id,)) if asked.locator(f"button[value='{id}']").count():
                self.press(asked.locator(f"button[value='{id}']").first)
            case Number(number) if asked.locator(f"button[value='{number}']").count():
                self.press(asked.locator(f"button[value='{number}']"))
            case _:
                form = asked.locator("form[action='/answer']").first
                fill_in(form, value)
                self.press(_last_button(form))

    def asked(self, key: str) -> Locator:
        """Return the question on the Now page, unfolded where it was folded away."""
        at = self.go("now").locator(f"#q-{dom(key)}")
        at.wait_for()
        if at.evaluate("at => at.tagName === 'DETAILS' && !at.open"):
            at.locator("summary").first.click()
        return at

    def go_on(self, key: str) -> None:
        """Let a question take its default."""
        form = self.go("now").locator(f"form[action='/go-on']:has(input[value='{key}'])")
        self.press(form.locator("button"))

    def take_throw(self, asked: str = "") -> None:
        """Take the throw by tap once the camera has read it.

        A die that the camera leaves open is answered as the table shows it most likely. `asked` is
        the question as it stood before: where it has gone, the grace time was quicker.
        """
        page = self.go("now")
        throw = page.locator("section[id^=throw-]").first
        question = page.locator("#q-battle-roll, #q-saga-roll")
        end = time.monotonic() + LONG / 1000
        while True:
            ready = throw.locator("button[id^=take-]")
            doubt = throw.locator(".doubt button[name=face]")
            if ready.count() or doubt.count():
                self.press((ready if ready.count() else doubt).first)
                if not throw.count():
                    return
            elif asked:
                gone = asked not in question.all_inner_texts()
                if gone and not throw.count():  # in this order: a throw hides its question
                    return
            assert time.monotonic() < end, "the throw was never ready to be taken"
            page.wait_for_timeout(50)
            self.catch_up()

    def undo(self) -> None:
        """Take back the last step, from the foot of the page."""
        self.press(self.go("now").locator("#undo"))

    # ---- numbers

    def correct(self, fact: str, value: Value) -> None:
        """Set a number by hand on its sheet."""
        self.open(f"/fact/{fact}")
        form = self.page.locator("#sheet form").first
        fill_in(form, value)
        self.press(form.locator("#set"))

    def shows(self, fact: str) -> str:
        """Return a number as its sheet shows it."""
        self.open(f"/fact/{fact}")
        return self.page.locator("#sheet-h").inner_text().rpartition(": ")[2]

    def whole_story(self) -> list[str]:
        """Return the sentences of all steps, oldest first."""
        self.go("story")
        lines = self.page.locator(".step-t").all_inner_texts()
        while self.page.locator("a[href^='/story?before=']").count():
            self.page.locator("a[href^='/story?before=']").click()
            self.page.wait_for_url("**/story?before=*")
            lines += self.page.locator(".step-t").all_inner_texts()
        return lines[::-1]


def _settles(answer: Response) -> bool:
    """True for what a pressed button sends; a form that tells where it leads only asks."""
    return answer.request.method == "POST" and not answer.url.endswith("/preview")


def dom(key: str) -> str:
    """Return a key as the pages' ids write it."""
    return key.replace(".", "-").replace(":", "-")


def fill_in(form: Locator, value: Value) -> None:
    """Fill the fields of a form; nothing is sent."""
    match value:
        case Number(number):
            form.locator("input[name=value]").fill(str(number))
        case Placed(place):
            _choose(form, "value", place)
        case Cards(ids) | Picked(ids) if form.locator("input[type=checkbox]").count():
            for id in ids:
                form.locator(f"label:has(input[value='{id}'])").click()
        case Cards(ids) | Picked(ids):
            for at, id in enumerate(ids):
                form.locator("select").nth(at).select_option(id)
        case Filled(fields):
            for number in form.locator("input[type=number]").all():
                number.fill(number.get_attribute("min") or "0")
            for name, one in fields.items():
                _choose(form, name, str(one))
        case _:
            raise AssertionError(f"no form takes {value}")


def _choose(form: Locator, name: str, chosen: str) -> None:
    select = form.locator(f"select[name='{name}']")
    if not select.count():
        form.locator(f"input[name='{name}'], input[name='{name}.written']").first.fill(chosen)
    elif select.locator(f"option[value='{chosen}']").count():
        select.select_option(chosen)
    else:
        form.locator(f"input[name='{name}.written']").fill(chosen)


def _is_button(at: Locator) -> bool:
    return bool(at.evaluate("at => at.tagName === 'BUTTON'"))


def _last_button(form: Locator) -> Locator:
    return form.locator("button:not([type=button])").last


__all__ = ["LONG", "PHONE", "WALL", "Looker", "Phone", "dom", "expect"]
