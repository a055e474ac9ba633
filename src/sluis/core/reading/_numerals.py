"""Numbers as figures and as words, Dutch and English. Never Unicode digits other than ASCII."""

from __future__ import annotations

from decimal import Decimal
from types import MappingProxyType

_NL_SMALL = {
    "nul": 0, "een": 1, "één": 1, "eén": 1, "twee": 2, "drie": 3, "vier": 4, "vijf": 5, "zes": 6, "zeven": 7, "acht": 8,
    "negen": 9, "tien": 10, "elf": 11, "twaalf": 12, "dertien": 13, "veertien": 14, "vijftien": 15, "zestien": 16,
    "zeventien": 17, "achttien": 18, "negentien": 19,
}  # fmt: skip
_NL_TENS = {
    "twintig": 20, "dertig": 30, "veertig": 40, "vijftig": 50, "zestig": 60, "zeventig": 70, "tachtig": 80,
    "negentig": 90,
}  # fmt: skip
_EN_SMALL = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_EN_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip

SCALES = MappingProxyType(
    {
        "honderd": 100, "duizend": 1000, "miljoen": 10**6, "mln": 10**6, "miljard": 10**9, "mrd": 10**9, "mld": 10**9,
        "biljoen": 10**12, "miljoenen": 10**6, "miljarden": 10**9, "mio": 10**6, "mille": 1000,
        "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "bn": 10**9,
        "trillion": 10**12,
    }
)  # fmt: skip
"""Words that multiply. English ``billion`` is a Dutch ``miljard``."""

GLUED_SCALES = MappingProxyType({"k": 1000, "K": 1000, "M": 10**6, "mln": 10**6, "mrd": 10**9, "bn": 10**9, "m": 10**6})
"""Suffixes written onto a number; matched whole, and ``m`` only after a currency."""

FRACTIONS = MappingProxyType({"\u00bd": Decimal("0.5"), "\u00bc": Decimal("0.25"), "\u00be": Decimal("0.75")})

_HALVES = MappingProxyType(
    {"anderhalf": Decimal("1.5"), "anderhalve": Decimal("1.5"), "half": Decimal("0.5"), "halve": Decimal("0.5")}
)


def _plain(word: str) -> str:
    return word.replace("\u00eb", "e").replace("\u00e9", "e").replace("\u00e8", "e").replace("-", "")


def _below_hundred(word: str) -> int | None:
    if word in _NL_SMALL:
        return _NL_SMALL[word]
    if word in _NL_TENS:
        return _NL_TENS[word]
    for tens, value in _NL_TENS.items():
        if word.endswith("en" + tens):
            unit = _NL_SMALL.get(word[: -len(tens) - 2])
            if unit is not None and 1 <= unit <= 9:
                return value + unit
    return None


def _below_thousand(word: str) -> int | None:
    head, found, tail = word.partition("honderd")
    if not found:
        return _below_hundred(word)
    hundreds = 1 if not head else _below_hundred(head)
    rest = 0 if not tail else _below_hundred(tail.removeprefix("en") if tail.startswith("en") else tail)
    if hundreds is None or hundreds < 1 or rest is None:
        return None
    return hundreds * 100 + rest


def dutch_word(word: str) -> Decimal | None:
    """The number that one Dutch word means: ``tweehonderdvijftigduizend``, ``tweeënzestig``, ``anderhalf``."""
    if len(word) > 80:
        return None
    if word in _HALVES:
        return _HALVES[word]
    plain = _plain(word)
    if plain.endswith(("enhalf", "enhalve")):
        whole = _NL_SMALL.get(plain[: plain.rindex("enhal")])
        return None if whole is None else Decimal(whole) + Decimal("0.5")
    head, found, tail = plain.partition("duizend")
    if not found:
        small = _below_thousand(plain)
        return None if small is None else Decimal(small)
    thousands = 1 if not head else _below_thousand(head)
    rest = 0 if not tail else _below_thousand(tail.removeprefix("en") if _below_thousand(tail) is None else tail)
    if thousands is None or thousands < 1 or rest is None:
        return None
    return Decimal(thousands * 1000 + rest)


def english_word(word: str) -> Decimal | None:
    """The number that one English word means, tens and units apart; ``half`` is a half."""
    if word in _EN_SMALL:
        return Decimal(_EN_SMALL[word])
    if word in _EN_TENS:
        return Decimal(_EN_TENS[word])
    return _HALVES.get(word) if word == "half" else None


def is_english_unit(word: str) -> bool:
    """Whether a word is a number of one digit, so that it may follow a tens word."""
    return word in _EN_SMALL and 1 <= _EN_SMALL[word] <= 9


def is_english_tens(word: str) -> bool:
    """Whether a word is a multiple of ten, so that a digit may follow."""
    return word in _EN_TENS


def figures(groups: list[str], marks: list[str], *, language: str | None, money: bool) -> tuple[Decimal | None, bool]:
    """The number that digit groups with marks between them mean.

    Args:
        groups: runs of ASCII digits.
        marks: what stands between them, one less: ``.``, ``,``, ``'`` or a space.
        language: ``nl``, ``en`` or ``None`` when the text declares no locale.
        money: whether a currency stands beside it.

    Returns:
        The number, or ``None`` when no rule fits (``6.000.00``); and whether another reading is as good.
    """
    whole = Decimal("".join(groups))
    if not marks:
        return whole, False
    tail_is_three = all(len(group) == 3 for group in groups[1:])
    head_fits = 1 <= len(groups[0]) <= 3 and not (groups[0].startswith("0"))
    kinds = list(dict.fromkeys(marks))
    if len(kinds) == 1:
        if len(marks) > 1:
            return (whole, False) if tail_is_three and head_fits else (None, False)
        mark = kinds[0]
        if mark in " '":
            return (whole, False) if tail_is_three and head_fits else (None, False)
        decimal = Decimal(f"{groups[0]}.{groups[1]}")
        if not (tail_is_three and head_fits):
            return decimal, False
        thousands_mark = {"nl": ".", "en": ","}.get(language or "")
        if thousands_mark is None:
            return whole, True
        if mark == thousands_mark:
            return whole, False
        # ``EUR 250,000`` in a Dutch text: three decimals of money are rarer than a foreign thousands mark.
        return decimal, money
    one_decimal_mark = len(kinds) == 2 and marks.count(marks[-1]) == 1 and marks[-1] in ".,"
    if one_decimal_mark and head_fits and all(len(group) == 3 for group in groups[1:-1]):
        return Decimal(f"{''.join(groups[:-1])}.{groups[-1]}"), False
    return None, False
