"""Every style sheet and script of the book is on every page, and no other weight.

The looks of the components (``lib/course/static``) are shared with live notebooks; the looks of
the pages (``book/_static``) are the rendered book's own. Templates beside this file override the
theme's where it would load megabytes of icons as a script.
"""

import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.typing import ExtensionMetadata

from lib.course import paths

AFTER_THE_THEME = 800
TEMPLATES = Path(__file__).with_name("templates")
# What the theme's packages bring and no page asks for.
UNUSED_FILES = "**/*.map"
UNUSED_FOLDERS = ("vendor", "locales")


def static_folders() -> tuple[Path, Path]:
    """Return the folders whose files go to ``_static``: components first, then the pages."""
    return paths.repository() / "lib" / "course" / "static", paths.book() / "_static"


def static_files(ending: str) -> list[str]:
    """Return the style sheets (``.css``) or scripts (``.js``) of the book in loading order."""
    return [
        path.relative_to(folder).as_posix()
        for folder in static_folders()
        for path in sorted(folder.rglob(f"*{ending}"))
    ]


def settle(app: Sphinx, config: Config) -> None:
    """Tell Sphinx of the folders, style sheets, scripts and templates."""
    config.html_static_path = [*config.html_static_path, *map(str, static_folders())]
    config.templates_path = [str(TEMPLATES), *config.templates_path]
    for order, sheet in enumerate(static_files(".css")):
        app.add_css_file(sheet, priority=AFTER_THE_THEME + order)
    for script in static_files(".js"):
        app.add_js_file(script, loading_method="defer")


def prune(app: Sphinx, exception: Exception | None) -> None:
    """Remove what no page loads from the output."""
    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    for path in static.glob(UNUSED_FILES):
        path.unlink()
    for folder in UNUSED_FOLDERS:
        shutil.rmtree(static / folder, ignore_errors=True)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.connect("config-inited", settle)
    app.connect("build-finished", prune)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
