"""Something shown in a notebook as HTML, and elsewhere as the same words in plain text."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Panel:
    """HTML and plain text of one output."""

    html: str
    text: str

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text

    def show(self) -> None:
        """Display in a notebook, print in a terminal."""
        from IPython import get_ipython

        if get_ipython() is None:
            print(self.text)
        else:
            from IPython.display import display

            display(self)
