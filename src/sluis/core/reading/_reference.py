"""The value that a reference is read as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Unit = Literal["article", "paragraph", "consideration", "back"]


@dataclass(frozen=True, kw_only=True)
class Reference:
    """One reference; ``text`` is how it (or the list it stands in) was written, at ``start..end``.

    Attributes:
        law: short name, or the name as written; ``None`` when the text names none.
        book: of the Dutch Civil Code only.
        article: number with its suffix and its dots, as written (``12.4``, ``10a``, ``8:75``); ``None`` for a
            paragraph that is named alone.
        paragraph: the *lid*, as a number.
        path: letters, romans and subs below the paragraph, outermost first.
        to: last article of a range, which is not expanded.
        unit: ``consideration`` for a numbered consideration of a ruling, ``paragraph`` for one named alone, ``back``
            for ``dat artikel`` where no article was named before.
        unreliable: looks like a reference and its number cannot be read (``art. l2``).
    """

    law: str | None = None
    book: str | None = None
    article: str | None = None
    paragraph: str | None = None
    path: tuple[str, ...] = ()
    to: str | None = None
    unit: Unit = "article"
    unreliable: bool = False
    text: str = ""
    start: int = 0
    end: int = 0

    def to_json(self) -> dict[str, object]:
        """As ``sluis extract`` prints it."""
        return {
            "law": self.law,
            "book": self.book,
            "article": self.article,
            "paragraph": self.paragraph,
            "path": list(self.path),
            "to": self.to,
            "unit": self.unit,
            "unreliable": self.unreliable,
            "text": self.text,
            "start": self.start,
            "end": self.end,
        }
