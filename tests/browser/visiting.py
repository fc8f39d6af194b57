"""Visiting a page: what went wrong on it, and when it is ready to be looked at."""

from dataclasses import dataclass, field

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 375, "height": 812}


@dataclass
class Troubles:
    """What went wrong while a page was open."""

    requests: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)

    def watch(self, page, base: str) -> None:
        """Listen to everything ``page`` asks for and says."""

        def asked(request) -> None:
            if not request.url.startswith((base, "data:", "blob:", "about:")):
                self.requests.append(f"outside the book: {request.url[:200]}")

        def answered(response) -> None:
            if response.status >= 400:
                self.requests.append(f"{response.status}: {response.url}")

        def said(message) -> None:
            if message.type in ("error", "warning"):
                self.console.append(f"{message.type}: {message.text}")

        page.on("request", asked)
        page.on("response", answered)
        page.on(
            "requestfailed", lambda r: self.requests.append(f"failed: {r.url[:200]}")
        )
        page.on("console", said)
        page.on("pageerror", lambda error: self.console.append(f"uncaught: {error}"))

    def __bool__(self) -> bool:
        return bool(self.requests or self.console)


def settle(page) -> None:
    """Wait until formulas are set and fonts and pictures are there."""
    page.evaluate(
        """async () => {
            if (window.MathJax?.startup?.promise) await MathJax.startup.promise;
            await document.fonts.ready;
            await Promise.all([...document.images].map((image) => image.decode().catch(() => 0)));
        }"""
    )
