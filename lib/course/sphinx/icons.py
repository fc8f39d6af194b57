"""The icons that pages use, and no others, in one small style sheet.

The theme ships Font Awesome whole: 1.5 MB of script or 400 kB of style sheet and fonts, which a
browser refuses to preload from disk. Here the finished pages say which icons they show; the fonts
are cut down to those and stand inside the style sheet.
"""

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pydata_sphinx_theme
from fontTools import subset
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

SHEET = "icons.css"
_FONTS = {
    "solid": ("fa-solid-900.ttf", "Font Awesome 6 Free", 900),
    "regular": ("fa-regular-400.ttf", "Font Awesome 6 Free", 400),
    "brands": ("fa-brands-400.ttf", "Font Awesome 6 Brands", 400),
}
_FACE = re.compile(r"@font-face\{[^}]*\}")
_ICON = re.compile(r'((?:\.fa-[\w-]+:before,?)+)\{content:"\\([0-9a-f]+)"\}')
_NAME = re.compile(r"\bfa-[a-z0-9-]+")
_ESCAPED = re.compile(r"\\([ef][0-9a-f]{3})\b")
_PRIVATE_USE = re.compile("[\ue000-\uf8ff]")


def font_awesome() -> Path:
    """Return the folder of Font Awesome inside the theme."""
    theme = Path(pydata_sphinx_theme.__file__).parent / "theme" / "pydata_sphinx_theme"
    found = sorted(
        (theme / "static" / "vendor" / "fontawesome").glob("*/css/all.min.css")
    )
    if not found:
        raise FileNotFoundError("expected the theme to bring Font Awesome; found none")
    return found[-1].parents[1]


def names(sheet: str) -> dict[str, int]:
    """Return icon name -> code point, read from Font Awesome's own style sheet."""
    return {
        name: int(code, 16)
        for selectors, code in _ICON.findall(sheet)
        for name in _NAME.findall(selectors)
    }


def wanted(texts: Iterator[str], known: dict[str, int]) -> set[int]:
    """Return the code points of the icons that ``texts`` name, escape or spell out."""
    points: set[int] = set()
    for text in texts:
        points.update(known[name] for name in _NAME.findall(text) if name in known)
        points.update(int(code, 16) for code in _ESCAPED.findall(text))
        points.update(map(ord, _PRIVATE_USE.findall(text)))
    return points


def cut(font: Path, points: set[int]) -> str | None:
    """Return a web font with the glyphs for ``points`` as a data URI; None if it has none."""
    options = subset.Options(flavor="woff", layout_features=[], notdef_outline=True)
    loaded = subset.load_font(str(font), options)
    if not points & set(loaded.getBestCmap()):
        return None
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=points)
    cutter.subset(loaded)
    loaded["head"].modified = loaded["head"].created  # the same bytes at every build
    saved = io.BytesIO()
    subset.save_font(loaded, saved, options)
    return "data:font/woff;base64," + base64.b64encode(saved.getvalue()).decode("ascii")


def sheet_for(points: set[int], folder: Path) -> str:
    """Return Font Awesome's style sheet with only these icons, fonts included."""
    sheet = (folder / "css" / "all.min.css").read_text(encoding="utf-8")
    rules = _ICON.sub(lambda m: m[0] if int(m[2], 16) in points else "", sheet)
    faces = []
    for file, family, weight in _FONTS.values():
        if font := cut(folder / "webfonts" / file, points):
            faces.append(
                f'@font-face{{font-family:"{family}";font-style:normal;font-weight:{weight};'
                f"font-display:block;src:url({font})format('woff')}}"
            )
    return _FACE.sub("", rules) + "".join(faces)


def written(static: Path) -> Iterator[str]:
    """Yield the text of every page, and of the style sheets and scripts that pages share."""
    for path in sorted(static.parent.rglob("*.html")):
        yield path.read_text(encoding="utf-8")
    for path in sorted([*static.rglob("*.css"), *static.rglob("*.js")]):
        elsewhere = {"vendor", "mathjax"} & set(path.relative_to(static).parts)
        if not elsewhere and path.name != SHEET:
            yield path.read_text(encoding="utf-8")


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the style sheet of icons once all pages are there."""
    if exception is not None or app.builder.format != "html":
        return
    static, folder = Path(app.outdir) / "_static", font_awesome()
    known = names((folder / "css" / "all.min.css").read_text(encoding="utf-8"))
    points = wanted(written(static), known)
    (static / SHEET).write_text(sheet_for(points, folder), encoding="utf-8")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
