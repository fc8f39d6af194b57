"""What an answer prints: the beginning is kept, a flood is dropped."""

MOST_PRINTED = 10_000


class Printed:
    """Takes the place of stdout and stderr."""

    encoding = "utf-8"
    errors = "replace"
    closed = False

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0

    def write(self, text: str) -> int:
        """Keep the text while there is room."""
        text = str(text)
        if self._size < MOST_PRINTED:
            self._parts.append(text[: MOST_PRINTED - self._size])
        self._size += len(text)
        return len(text)

    def writelines(self, lines) -> None:
        """Keep several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Nothing to do."""

    def isatty(self) -> bool:
        """No terminal: progress bars and colours stay plain."""
        return False

    def writable(self) -> bool:
        """One can write to it."""
        return True

    def text(self) -> str:
        """All that was kept."""
        return "".join(self._parts)
