"""Small notebooks for the tests of the house."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from lib.course import notebook_form


def notebook(*sources, title="# A title"):
    """Return a notebook with a title and one code cell for each source, not executed."""
    return new_notebook(cells=[new_markdown_cell(title), *map(new_code_cell, sources)])


def written(path, *sources, **options):
    """Write such a notebook to ``path`` in its stored form and return the path."""
    made = notebook_form.normalise(notebook(*sources, **options))
    path.write_text(notebook_form.text(made), encoding="utf-8")
    return path


def read(path):
    """Read a notebook."""
    return nbformat.read(path, as_version=4)
