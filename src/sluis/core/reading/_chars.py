"""Character tables of the fixed fold. Data only.

Nothing here changes a digit's value or drops a sign: superscripts stay superscripts, and only full-width forms
of ASCII become ASCII.
"""

from __future__ import annotations

from types import MappingProxyType

SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u02bc\u02b9\u2032\u00b4\u1ffd\u0384"
DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u301d\u301e\u301f"
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63"
MINUS = "\u2212"
SPACES = "\t\x0b\x0c\x1c\x1d\x1e\x1f\u00a0\u1680" + (
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
LINE_ENDS = "\n\r\x85\u2028\u2029"

SOFT_HYPHEN = "\u00ad"
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u180e\u034f\u115f\u1160\u3164\uffa0\u2061\u2062\u2063\u2064"
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

LIGATURES = MappingProxyType(
    {
        "\ufb00": "ff",
        "\ufb01": "fi",
        "\ufb02": "fl",
        "\ufb03": "ffi",
        "\ufb04": "ffl",
        "\ufb05": "st",
        "\ufb06": "st",
        "\u0132": "IJ",
        "\u0133": "ij",
        "\u2026": "...",
        "\u2264": "<=",
        "\u2265": ">=",
    }
)
"""One character that stands for several."""

FULL_WIDTH = MappingProxyType({chr(point): chr(point - 0xFEE0) for point in range(0xFF01, 0xFF5F)})
"""Full-width forms of ASCII 0x21 to 0x7E."""


def _one_to_one() -> dict[int, str]:
    table: dict[int, str] = {}
    table.update(dict.fromkeys(map(ord, SINGLE_QUOTES), "'"))
    table.update(dict.fromkeys(map(ord, DOUBLE_QUOTES), '"'))
    table.update(dict.fromkeys(map(ord, DASHES), "-"))
    table.update(dict.fromkeys(map(ord, SPACES), " "))
    table.update(dict.fromkeys(map(ord, LINE_ENDS), "\n"))
    table.update({ord(wide): narrow for wide, narrow in FULL_WIDTH.items()})
    table.update(dict.fromkeys(range(0xD800, 0xE000), "\ufffd"))
    return table


ONE_TO_ONE = MappingProxyType(_one_to_one())
"""Code point to the one character it is read as; a lone surrogate is read as U+FFFD."""


NUMERALS = (
    "\u00b2\u00b3\u00b9\u00bc-\u00be\u2070\u2074-\u2079\u2080-\u2089\u2150-\u2182\u2185-\u2189\u2460-\u249b\u24ea-\u24ff"
    "\u2776-\u2793\u2cfd\u3007\u3038-\u303a\u3192-\u3195\u3220-\u3229\u3248-\u324f\u3251-\u325f\u3280-\u3289\u32b1-\u32bf"
    "\U00010107-\U00010178\U0001d360-\U0001d378\U0001f100-\U0001f10c"
)
"""Ranges, for a character class, of what stands for a number and is no digit: Roman, circled, raised, fractions."""


def word_set(text: str) -> frozenset[str]:
    """The words of a text, for tables that read better as running words."""
    return frozenset(text.split())
