"""Nothing a page loads lies outside the book's own folder.

MathJax comes from the files bundled with ``sphinx-mathjax-offline`` and only the components that
pages use are copied: TeX in, CHTML out, hidden MathML for screen readers; no menu, no speech.
A last look over the finished pages turns every remote script, style, image or frame into a
warning, which the build treats as an error.
"""

import re
import shutil
from importlib.util import find_spec
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

logger = logging.getLogger(__name__)

# Read by the page at load time. TeX extensions are fetched by MathJax when a formula first needs
# one (\boldsymbol, \cancel, ...), so all but the bundle of everything are at hand.
MATHJAX_FILES = (
    "startup.js",
    "core.js",
    "input/tex.js",
    "output/chtml.js",
    "output/chtml/fonts/tex.js",
    "a11y/assistive-mml.js",
    "input/tex/extensions/*.js",
    "output/chtml/fonts/woff-v2/*.woff",
)
MATHJAX_LEFT_OUT = {"all-packages.js", "bussproofs.js", "mhchem.js", "physics.js"}

MATHJAX_CONFIG = {
    "loader": {"load": ["core", "input/tex", "output/chtml", "a11y/assistive-mml"]},
    "options": {"enableAssistiveMml": True},
    "chtml": {"scale": 1, "matchFontHeight": True},
}

_REMOTE = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed)\b[^>]*?\bsrc\s*=\s*["']\s*((?:https?:)?//[^"']+)"""
    r"""|<link\b(?=[^>]*\brel\s*=\s*["'](?:stylesheet|preload|icon|modulepreload|prefetch)["'])"""
    r"""[^>]*?\bhref\s*=\s*["']\s*((?:https?:)?//[^"']+)"""
    r"""|(?:@import\s+(?:url\()?|url\()\s*["']?((?:https?:)?//[^"')\s]+)""",
    re.IGNORECASE,
)


def mathjax_folder() -> Path:
    """Return the folder of the installed MathJax distribution."""
    # The package's name holds hyphens, so it can be found but not imported by name.
    spec = find_spec("sphinx-mathjax-offline")
    if spec is None or spec.origin is None:
        raise FileNotFoundError(
            "expected the package sphinx-mathjax-offline, which brings MathJax, to be installed"
        )
    return Path(spec.origin).parent / "static" / "mathjax"


def remote_resources(html: str) -> list[str]:
    """Return the addresses outside the book that a page would load by itself.

    Plain links that a reader may follow are no concern; scripts, styles, images and frames are.
    """
    return [next(filter(None, match)) for match in _REMOTE.findall(html)]


def copy_mathjax(app: Sphinx, exception: Exception | None) -> None:
    """Copy the MathJax components that pages use into ``_static/mathjax``."""
    if exception is not None or app.builder.format != "html":
        return
    source, target = mathjax_folder(), Path(app.outdir) / "_static" / "mathjax"
    for pattern in MATHJAX_FILES:
        found = [
            path for path in source.glob(pattern) if path.name not in MATHJAX_LEFT_OUT
        ]
        if not found:
            raise FileNotFoundError(
                f"expected MathJax to have {pattern}; {source.name} has none"
            )
        for path in found:
            copy = target / path.relative_to(source)
            if not copy.exists():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)


def warn_of_remote(app: Sphinx, exception: Exception | None) -> None:
    """Warn of every page that would load something from elsewhere."""
    if exception is not None or app.builder.format != "html":
        return
    for page in sorted(Path(app.outdir).rglob("*.html")):
        for address in remote_resources(page.read_text(encoding="utf-8")):
            logger.warning(
                "%s loads %s", page.relative_to(app.outdir).as_posix(), address
            )


def settle(app: Sphinx, config: Config) -> None:
    """Point MathJax at the local copy and take the widgets' remote scripts away."""
    config.mathjax_path = "mathjax/startup.js"
    config.mathjax3_config = {**(config.mathjax3_config or {}), **MATHJAX_CONFIG}
    config.nb_ipywidgets_js = {}


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension."""
    # jupyter-book always sets this value of an extension that is not loaded here.
    app.add_config_value("comments_config", {}, "html")
    # After jupyter-book's own settings, before MyST adapts MathJax's classes to its pages.
    app.connect("config-inited", settle, priority=100)
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", warn_of_remote, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
