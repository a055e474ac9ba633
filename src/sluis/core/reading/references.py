"""References to articles: law, book, article, paragraph and path, field by field.

``art. 7:669 lid 3, aanhef en onder g BW`` is law ``BW``, book ``7``, article ``669``, paragraph ``3``, path ``("g",)``.
Lists expand (``artikelen 3, 4 en 5``; ``eerste en tweede lid``); ranges of paragraphs and letters expand; a range
of articles cannot (nobody here knows whether there is a 3a), so it keeps its end in ``to``. A law that closes a
list counts for the whole list. ``dat artikel`` and ``Id.`` mean the last article before them; without one they are
a reference of unit ``back``, which nobody can check. A qualifier that cannot be read makes its reference unreliable,
for an article without its paragraph would be another reference.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ._reference import Reference, Unit
from ._reference_labels import (
    AND,
    ARTICLE,
    BACK,
    BELOW,
    CONSIDERATION,
    MAX_LISTED,
    ORDINAL_ENDINGS,
    ORDINALS,
    PARAGRAPH,
    PLURAL,
    UNITS,
    Labels,
)


@dataclass(frozen=True, slots=True)
class _Part:
    """A reference under construction, with the tokens it covers."""

    ref: Reference
    first: int
    last: int


class _Parser(Labels):
    """Reads references and lists of them."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.out: list[Reference] = []

    def reference(self, index: int, *, first: int, unit: Unit, bare: bool = False) -> tuple[list[_Part], int] | None:
        """One article with what hangs on it."""
        number = self.article_number(index)
        if number is None:
            return None
        if bare and ":" not in number[0]:
            return None
        base = Reference(article=number[0], unit=unit)
        parts, end = self.below(number[1], base, first=first)
        while (more := self.further(end)) is not None:
            held = parts[-1].ref.paragraph if self.at(more).low in BELOW else None
            grown, after = self.below(more, replace(base, paragraph=held), first=more)
            if after == more or (self.at(after).low in ("van", "of") and self.at(after + 1).low in ARTICLE):
                break
            parts, end = [*parts, *grown], after
        spoiled = self.unread(end)
        if spoiled is not None:
            return [_Part(Reference(unreliable=True), first, spoiled - 1)], spoiled
        law, book, after = self.law(end)
        if after > end:
            parts = [replace(part, ref=replace(part.ref, law=law, book=book)) for part in parts]
            parts[-1] = replace(parts[-1], last=after - 1)
        return parts, after

    def below(self, index: int, base: Reference, *, first: int) -> tuple[list[_Part], int]:
        """The paragraphs and letters at ``index``, each under ``base``; none: ``base`` itself."""
        paragraphs, paths, end = self.qualifiers(index)
        if len(paragraphs) * max(1, len(paths)) > MAX_LISTED:
            return [_Part(Reference(unreliable=True), first, end - 1)], end
        within: list[str | None] = [*paragraphs] or [base.paragraph]
        parts = [
            _Part(replace(base, paragraph=paragraph, path=path), first, max(first, end - 1))
            for paragraph in within
            for path in (paths or [()])
        ]
        return parts, end

    def further(self, index: int) -> int | None:
        """Where a further paragraph of the same article begins: ``... en lid 2 onder b``."""
        joint = self.conjunction(index)
        if joint is None or joint[0] != "and":
            return None
        after = joint[1]
        goes_on = self.at(after).low in PARAGRAPH | BELOW or self.ordinals(after) is not None
        return after if goes_on else None

    def chain(self, index: int, *, first: int, unit: Unit, plural: bool, bare: bool = False) -> int:
        """A list of references; emits them and returns the index after."""
        one = self.reference(index, first=first, unit=unit, bare=bare)
        if one is None:
            return index
        begun = index
        parts, index = one
        while True:
            joint = self.conjunction(index)
            if joint is None:
                break
            kind, after = joint
            begin = after
            named = self.at(after).low in ARTICLE
            if named:
                after += 1
                if self.at(after).text == ".":
                    after += 1
            following = self.reference(after, first=begin, unit=unit)
            if following is None or not self._goes_on(following[1], after, named=named, plural=plural):
                break
            if kind == "range":
                last = parts[-1]
                parts[-1] = _Part(
                    replace(last.ref, to=following[0][-1].ref.article, law=following[0][-1].ref.law or last.ref.law),
                    last.first,
                    following[0][-1].last,
                )
            else:
                parts.extend(following[0])
            index = following[1]
        if bare and parts[-1].ref.law is None:
            return begun
        self.emit(parts)
        return index

    def _goes_on(self, after: int, at: int, *, named: bool, plural: bool) -> bool:
        """Whether what follows a conjunction is a further article and not the next thing in the sentence."""
        if self.at(after).low in UNITS or self.at(after).text in ("%", "\u20ac"):
            return False
        if named or plural or any(char in self.at(at + 1).text for char in ".:"):
            return True
        token = self.at(after)
        return token.kind != "word" or token.low in AND or self._law_at(after - 1) is not None

    def emit(self, parts: list[_Part]) -> None:
        """Give a law that closes the list to all before it, split off the book, and keep the result."""
        law: str | None = None
        book: str | None = None
        done: list[Reference] = []
        for part in reversed(parts):
            ref = part.ref
            if ref.law is not None:
                law, book = ref.law, ref.book
            ref = replace(ref, law=law, book=ref.book or book)
            if ref.law == "BW" and ref.article is not None and ":" in ref.article:
                own, article = ref.article.split(":", 1)
                to = ref.to.split(":", 1)[-1] if ref.to is not None else None
                ref = replace(ref, book=own, article=article, to=to)
            done.append(self.placed(ref, part.first, part.last))
        self.out.extend(reversed(done))

    def placed(self, ref: Reference, first: int, last: int) -> Reference:
        start, end = self.folded.back(self.at(first).start, self.at(last).end)
        return replace(ref, text=self.original[start:end], start=start, end=end)

    def run(self) -> tuple[Reference, ...]:
        index = 0
        while index < len(self.tokens):
            index = max(index + 1, self.step(index))
        return tuple(self.out)

    def step(self, index: int) -> int:
        token = self.at(index)
        if token.kind == "word" and not (self.glued(index) and self.at(index - 1).kind == "number"):
            if token.low in ARTICLE:
                return self.keyword(index, "article", plural=token.low in PLURAL)
            if token.low in CONSIDERATION:
                return self.keyword(index, "consideration", plural=True)
            if token.low == "r" and [self.at(index + place).low for place in (1, 2)] == [".", "o"]:
                return self.keyword(index + 2, "consideration", plural=True, first=index)
            if token.low in PARAGRAPH or token.low in ORDINALS:
                return self.alone(index)
            if token.text == "Id" and self.at(index + 1).text == "." and self.glued(index + 1):
                return self.back(index, index + 2)
            if token.low in ("ibid", "ibidem"):
                return self.back(index, index + 1)
        elif token.text == "\u00a7":
            return self.keyword(index, "article", plural=self.at(index + 1).text == "\u00a7")
        elif token.kind == "number":
            if self.at(index + 1).text == ":" and not (self.glued(index) and self.at(index - 1).text in ".:,/"):
                return self.chain(index, first=index, unit="article", plural=False, bare=True)
            if self.at(index + 1).low in ORDINAL_ENDINGS:
                return self.alone(index)
        return index

    def keyword(self, index: int, unit: Unit, *, plural: bool, first: int | None = None) -> int:
        first = index if first is None else first
        after = index + 1
        if self.at(after).text in (".", "\u00a7"):
            after += 1
        if self.at(after).low in ("nr", "no") and self.at(after + 1).text == ".":
            after += 2
        end = self.chain(after, first=first, unit=unit, plural=plural)
        if end == after:
            if self.at(index - 1).low in BACK and unit == "article":
                return self.back(index - 1, index + 1)
            self.suspect(first, after)
        return end

    def back(self, first: int, index: int) -> int:
        """``dat artikel``, ``Id.``: the last reference before it, with what is said below it here."""
        meant = next((item for item in reversed(self.out) if item.article is not None), None)
        if meant is None:
            self.out.append(self.placed(Reference(unit="back"), first, index - 1))
            return index
        base = replace(meant, paragraph=None, path=(), to=None)
        parts, end = self.below(index, base, first=first)
        for part in parts:
            self.out.append(self.placed(part.ref, first, max(index, end) - 1))
        return max(index, end)

    def suspect(self, first: int, after: int) -> None:
        """``art. l2``: a number that cannot be read as one is said so, not passed over."""
        last = after
        token = self.at(after)
        if token.kind not in ("word", "number"):
            return
        while self.glued(last + 1) and self.at(last + 1).kind in ("word", "number", "symbol") and last < after + 12:
            last += 1
        pieces = self.tokens[after : last + 1]
        if any(piece.kind == "number" for piece in pieces):
            self.out.append(self.placed(Reference(unreliable=True), first, last))

    def alone(self, index: int) -> int:
        """A paragraph without its article: ``het tweede lid``, ``lid 3``."""
        found = self._qualifier(index, [], [])
        if found is None or not found[0]:
            return index
        paragraphs, paths, end = found
        while True:
            after = end + 1 if self.at(end).text == "," else end
            more = self._qualifier(after, paragraphs, paths)
            if more is None:
                break
            paragraphs, paths, end = more
        start = end
        joined = end + 1 if self.at(end).text == "," else end
        if self.at(joined).low in ("van", "of") and self.at(joined + 1).low in ARTICLE:
            after = joined + 2
            if self.at(after).text == ".":
                after += 1
            number = self.article_number(after)
            if number is not None:
                law, book, start = self.law(number[1])
                parts = [
                    _Part(Reference(law=law, book=book, article=number[0], paragraph=one, path=path), index, start - 1)
                    for one in paragraphs
                    for path in (paths or [()])
                ]
                self.emit(parts)
                return start
        if len(paragraphs) * max(1, len(paths)) > MAX_LISTED:
            self.out.append(self.placed(Reference(unreliable=True), index, end - 1))
            return start
        for one in paragraphs:
            for path in paths or [()]:
                self.out.append(self.placed(Reference(paragraph=one, path=path, unit="paragraph"), index, end - 1))
        return start


def read_references(text: str) -> tuple[Reference, ...]:
    """All references in a text, in order, lists expanded.

    Args:
        text: any text, also an ill-formed one.
    """
    return _Parser(text).run()
