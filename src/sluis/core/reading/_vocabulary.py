"""Words that make a number a value: currencies, units, months, bounds, and the labels that make it none. Data."""

from __future__ import annotations

from types import MappingProxyType

from ._chars import word_set
from .values import Bound, Edge, Unit

Limit = tuple[Bound, Edge]

CURRENCY_SYMBOLS = MappingProxyType({"\u20ac": "EUR", "$": "USD", "\u00a3": "GBP", "\u00a5": "JPY", "\u0192": "NLG"})
CURRENCY_CODES = word_set(
    """
    EUR USD GBP CHF JPY NLG SEK NOK DKK PLN CZK HUF CAD AUD CNY BEF DEM FRF XCD ANG AWG
    """
)
CURRENCY_WORDS = MappingProxyType(
    {
        "euro": "EUR", "euros": "EUR", "dollar": "USD", "dollars": "USD", "gulden": "NLG", "guilder": "NLG",
        "guilders": "NLG", "pond": "GBP", "pounds": "GBP", "eur": "EUR", "fl": "NLG", "usd": "USD",
    }
)  # fmt: skip
CENTS = word_set("cent cents eurocent eurocents")

PERCENT_WORDS = word_set("procent percent pct")
BASIS_POINTS = word_set("bps bp basispunt basispunten")

_UNIT_WORDS: dict[Unit, str] = {
    "minute": "minuut minuten minute minutes",
    "hour": "uur uren hour hours",
    "day": "dag dagen dgn kalenderdag kalenderdagen day days daagse daags etmaal etmalen",
    "working_day": "werkdag werkdagen workday workdays",
    "week": "week weken weeks wk",
    "month": "maand maanden month months mnd maands maandelijkse",
    "year": "jaar jaren year years jarige jarig jr",
}
UNITS: MappingProxyType[str, Unit] = MappingProxyType(
    {word: unit for unit, words in _UNIT_WORDS.items() for word in words.split()}
)
TWO_WORD_UNITS: MappingProxyType[tuple[str, str], Unit] = MappingProxyType(
    {
        ("working", "day"): "working_day",
        ("working", "days"): "working_day",
        ("business", "day"): "working_day",
        ("business", "days"): "working_day",
        ("calendar", "day"): "day",
        ("calendar", "days"): "day",
    }
)

METRES = word_set("m cm mm dm km hm")
"""Units that are squared or cubed by a raised digit."""
MONTHS = MappingProxyType(
    {
        word: number
        for number, words in enumerate(
            (
                "januari january jan", "februari february feb febr", "maart march mrt mar", "april apr", "mei may",
                "juni june jun", "juli july jul", "augustus august aug", "september sept sep",
                "oktober october okt oct", "november nov", "december dec",
            ),
            start=1,
        )
        for word in words.split()
    }
)  # fmt: skip
MONTH_IS_ALSO_A_WORD = frozenset({"mar", "may", "march", "sep", "dec", "jan"})
"""Month names that are other words too: without a year they need a capital."""

LABELS = word_set(
    """
    nr nrs nummer nummers no number zaaknummer zaaknr rolnummer rolnr dossiernummer polisnummer klantnummer
    factuurnummer ordernummer kenmerk referentie parketnummer telefoonnummer rekeningnummer versie version v blz p
    pp pag pagina bladzijde page pages hoofdstuk chapter hfst bijlage annex appendix tabel table figuur figure fig
    stap step fase phase box iban kvk bsn btw tel telefoon fax bel postbus afdeling titel deel part volume vol
    noot voetnoot note randnr randnummer overweging alinea punt paragraaf stb trb stcrt isbn issn release build
    ticket case bijl sectie regel line kamer zaak awb ro rov
    """
)
"""Words after which a number names something instead of measuring it."""

FILLERS = word_set(
    """
    een van bedrag boete termijn het de binnen op a an the of amount period in totaal som te bedragen bedraagt
    periode duur is zijn worden be to ca about circa ongeveer nog approximately roughly
    """
)
"""Words that may stand between a bound and its value."""


def _phrases(text: str, limit: Limit) -> dict[tuple[str, ...], Limit]:
    return {tuple(phrase.split()): limit for phrase in text.split("|")}


BOUNDS: MappingProxyType[tuple[str, ...], Limit] = MappingProxyType(
    {
        **_phrases(
            "ten hoogste|tenhoogste|hooguit|maximaal|max|maximum|hoogstens|niet meer dan|niet hoger dan|"
            "niet langer dan|niet later dan|niet groter dan|uiterlijk|uiterlijk tot|uiterste|hoogste|tot en met|t / m|"
            "tot maximaal|tot ten hoogste|at most|no more than|not more than|up to|up to and including|no later than|"
            "not later than|by no later than|not exceeding|not exceed|no longer than|not longer than|at the latest|"
            "until and including|on or before|< =",
            ("at_most", "inclusive"),
        ),
        **_phrases(
            "ten minste|tenminste|minstens|minimaal|min|minimum|op zijn minst|niet minder dan|niet korter dan|"
            "niet lager dan|niet eerder dan|at least|no less than|not less than|no fewer than|not shorter than|"
            "no shorter than|not earlier than|no earlier than|on or after|> =|vanaf",
            ("at_least", "inclusive"),
        ),
        **_phrases(
            "minder dan|korter dan|lager dan|kleiner dan|eerder dan|less than|fewer than|shorter than|lower than|"
            "below|earlier than|onder|<",
            ("at_most", "exclusive"),
        ),
        **_phrases(
            "meer dan|langer dan|hoger dan|groter dan|later dan|more than|longer than|higher than|exceeding|above|"
            "later than|boven|>",
            ("at_least", "exclusive"),
        ),
    }
)
DATE_BOUNDS: MappingProxyType[tuple[str, ...], Limit] = MappingProxyType(
    {
        ("v\u00f3\u00f3r",): ("at_most", "exclusive"),
        ("voor",): ("at_most", "exclusive"),
        ("before",): ("at_most", "exclusive"),
        ("prior", "to"): ("at_most", "exclusive"),
        ("tot",): ("at_most", "unclear"),
        ("until",): ("at_most", "unclear"),
        ("till",): ("at_most", "unclear"),
        ("by",): ("at_most", "inclusive"),
        ("na",): ("at_least", "exclusive"),
        ("after",): ("at_least", "exclusive"),
    }
)
"""Bounds that count for dates alone; ``vanaf`` names a beginning and is no bound."""
OPEN_BOUNDS: MappingProxyType[tuple[str, ...], Limit] = MappingProxyType(
    {
        ("tot",): ("at_most", "unclear"),
        ("until",): ("at_most", "unclear"),
        ("na",): ("at_least", "exclusive"),
        ("after",): ("at_least", "exclusive"),
    }
)
"""Bounds that count right before an amount or a term, unless what stands before them makes them something else."""
NO_OPEN_BOUND = word_set(
    """
    verhoogd verhoogt verhogen verlaagd verlaagt verlagen gematigd matigt matigen beperkt beperken veroordeeld
    veroordeelt veroordelen gedaald gestegen daalt stijgt teruggebracht dagen weken maanden jaren dag week maand jaar
    raised reduced increased lowered limited sentenced days weeks months years
    """
)
"""Words before ``tot`` that make it a result (``verhoogd tot``), and units that make it a range."""
LATER_BOUNDS: MappingProxyType[tuple[str, ...], Limit] = MappingProxyType(
    {
        ("of", "minder"): ("at_most", "inclusive"),
        ("or", "less"): ("at_most", "inclusive"),
        ("or", "fewer"): ("at_most", "inclusive"),
        ("of", "meer"): ("at_least", "inclusive"),
        ("or", "more"): ("at_least", "inclusive"),
        ("of", "langer"): ("at_least", "inclusive"),
        ("of", "korter"): ("at_most", "inclusive"),
        ("of", "hoger"): ("at_least", "inclusive"),
        ("of", "lager"): ("at_most", "inclusive"),
        ("of", "later"): ("at_least", "inclusive"),
        ("or", "later"): ("at_least", "inclusive"),
        ("of", "eerder"): ("at_most", "inclusive"),
        ("or", "earlier"): ("at_most", "inclusive"),
        ("of", "nog", "meer"): ("at_least", "inclusive"),
        ("of", "nog", "minder"): ("at_most", "inclusive"),
        ("ten", "hoogste"): ("at_most", "inclusive"),
        ("ten", "minste"): ("at_least", "inclusive"),
        ("maximaal",): ("at_most", "inclusive"),
        ("minimaal",): ("at_least", "inclusive"),
        ("minstens",): ("at_least", "inclusive"),
        ("hooguit",): ("at_most", "inclusive"),
        ("at", "most"): ("at_most", "inclusive"),
        ("at", "least"): ("at_least", "inclusive"),
        ("at", "the", "latest"): ("at_most", "inclusive"),
    }
)
"""Bounds that follow their value."""
LONGEST_BOUND = max(map(len, BOUNDS))

YEAR_AFTER = word_set(
    """
    in van sinds vanaf tot na voor jaar medio begin eind year since until from before after of der over mid en and
    per uit kalenderjaar boekjaar
    """
)
"""Words after which four digits are a year."""
