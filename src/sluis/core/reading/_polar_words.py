"""Words that turn a statement round: negations, exceptions, duties, permissions and opposites. Data."""

from __future__ import annotations

from types import MappingProxyType

from ._chars import word_set

NEGATIONS = word_set(
    """
    niet geen nooit niets niemand nergens noch zonder geenszins nimmer evenmin allerminst
    not no never nothing nobody nowhere neither nor without cannot none
    """
)
NEGATION_ENDINGS = ("n't", "n\u2019t")

_NOT_NEGATIONS = """
niet alleen|niet slechts|niet enkel|niet uitsluitend|al dan niet|of niet|niet meer dan|niet minder dan|niet later dan
niet langer dan|niet korter dan|niet hoger dan|niet lager dan|niet eerder dan|niet groter dan|niet kleiner dan
niet zonder|niets anders dan|niet anders dan|geen ander dan|geen andere dan|niet in de laatste plaats|waar niet
not only|not merely|not solely|whether or not|no more than|no less than|no fewer than|no later than|no earlier than
no longer than|no shorter than|not more than|not less than|not later than|not earlier than|not longer than
not exceed|not exceeding|nothing but|nothing other than|not without|no other than|by no later than|not in excess of
"""
NOT_NEGATIONS = tuple(
    tuple(phrase.split()) for line in _NOT_NEGATIONS.strip().splitlines() for phrase in line.split("|")
)
"""Phrases that hold a negation and negate nothing, or set a bound, which the reader of values compares."""

EXCEPTIONS = word_set(
    """
    tenzij behoudens behalve uitgezonderd uitzondering uitzonderingen mits niettegenstaande
    unless except excepting excluding exception exceptions save provided
    """
)
"""Words that open an exception or a condition without which the rule would not hold."""

_DUTIES = """
moet moeten moest moesten dient dienen diende dienden verplicht verplichte gehouden hoeft hoeven behoeft behoeven
vereist verplichting verplichtingen
must shall required obliged obligated obligation obligations need needs mandatory
"""
_PERMISSIONS = """
mag mogen mocht mochten kan kunnen bevoegd bevoegdheid gerechtigd vrijstaat toegestaan toelaatbaar
may can could permitted allowed entitled authorised authorized optional
"""
DUTIES, PERMISSIONS = word_set(_DUTIES), word_set(_PERMISSIONS)

_OPPOSED = """
verboden toegestaan|verbod verplichting|toegewezen afgewezen|toewijzen afwijzen|toewijst afwijst|wijst wees
gegrond ongegrond|ontvankelijk niet-ontvankelijk|bekrachtigd vernietigd|bekrachtigt vernietigt|bekrachtigen vernietigen
geldig ongeldig|rechtmatig onrechtmatig|inclusief exclusief|verhoogd verlaagd|verhogen verlagen|verhoging verlaging
hoger lager|hogere lagere|hoogste laagste|vóór na|voor na|vooraf achteraf|aanvang einde|begin einde|begint eindigt
wint verliest|toename afname|stijgt daalt|stijging daling|winst verlies|bruto netto|mondeling schriftelijk
mondelinge schriftelijke|opzettelijk onopzettelijk|eenzijdig wederzijds|tijdelijk blijvend|tijdelijke blijvende
openbaar besloten|vast variabel|vaste variabele|eerste laatste|openen sluiten|minimaal maximaal|minimum maximum
binnen buiten|gedekt uitgesloten|vergoed uitgesloten|dekking uitsluiting|aanvaardt weigert|aanvaarden weigeren
erkent betwist|erkend betwist|toepasselijk uitgesloten|onroerend roerend|onroerende roerende|meerderjarig minderjarig
betaalt ontvangt|betalen ontvangen|betaalt krijgt|betalen krijgen|geeft krijgt|geven krijgen
koopt verkoopt|kopen verkopen
huurt verhuurt|huren verhuren|leent uitleent|pays receives|pay receive|pays gets|buys sells|gives gets
privaat publiek|ingang einde|ouder jonger|langer korter|sneller trager|links rechts
granted denied|allowed dismissed|upheld overturned|upheld reversed|affirmed reversed|valid invalid|lawful unlawful
include exclude|includes excludes|including excluding|inclusive exclusive|increase decrease|increased decreased
before after|begin end|begins ends|start end|gross net|oral written|covered excluded|accept refuse|accepts refuses
admit deny|first last|higher lower|highest lowest|permanent temporary|fixed variable|minimum maximum|win lose
prohibited permitted|forbidden allowed|prior subsequent|older younger|longer shorter|buy sell|buys sells
"""


def _pairs() -> dict[str, frozenset[str]]:
    made: dict[str, set[str]] = {}
    for line in _OPPOSED.strip().splitlines():
        for pair in line.split("|"):
            one, other = pair.split()
            made.setdefault(one, set()).add(other)
            made.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in made.items()}


OPPOSITES = MappingProxyType(_pairs())
"""A word to the words that say the contrary."""

PREFIXES = ("on", "niet-", "non-", "non", "un", "in", "im", "ir", "dis")
"""What in front of a word makes it its own contrary: ``bevoegd``, ``onbevoegd``."""
