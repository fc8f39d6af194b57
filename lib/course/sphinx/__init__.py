"""The Sphinx side of the book: every module here with a ``setup`` is an extension.

``_config.yml`` loads this package alone. A module that has a ``setup(app)`` is found and loaded,
so adding an extension means adding a file.
"""

from importlib import import_module
from pkgutil import iter_modules

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Load every extension of this package, in alphabetical order."""
    for module in sorted(found.name for found in iter_modules(__path__)):
        name = f"{__name__}.{module}"
        if hasattr(import_module(name), "setup"):
            app.setup_extension(name)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
