"""Names of statutes and treaties. Data: what is written, to the short name that fields hold."""

from __future__ import annotations

from types import MappingProxyType

from ._chars import word_set

ABBREVIATIONS = word_set(
    """
    BW Awb Rv Sr Sv Gw Fw RO Wft Wwft AVG GDPR EVRM ECHR VWEU TFEU VEU TEU WVW Wegenverkeerswet WOR WWZ Zvw Wlz
    Wmo Jw Pw WIA ZW WW WAO WAZ Vw Vb Vc Opw Ow Wro Wabo Wob Woo AWR IW Gemw Gemeentewet Provinciewet Kieswet
    Grondwet Arbowet Wkkgz Wbp Wgbo Wvggz Wzd Wahv Wabw WvK WvSr WvSv WvW Mw Tw Auteursrecht Aw ROW BVIE Bopz Boek
    Huisvestingswet Omgevingswet Participatiewet Telecommunicatiewet Mededingingswet Vreemdelingenwet Ziektewet
    Werkloosheidswet Faillissementswet Opiumwet Leerplichtwet Bkr Bor Bpr Bpb Bw AWB WMO DCC CISG Uavg UAVG ARBIT
    ARVODI BBL TW AVI
    """
)
"""Short names that may stand right after an article number. ``Boek`` is handled before this list is read."""

NAMES = MappingProxyType(
    {
        ("burgerlijk", "wetboek"): "BW",
        ("dutch", "civil", "code"): "BW",
        ("algemene", "wet", "bestuursrecht"): "Awb",
        ("general", "administrative", "law", "act"): "Awb",
        ("wetboek", "van", "burgerlijke", "rechtsvordering"): "Rv",
        ("wetboek", "van", "strafrecht"): "Sr",
        ("wetboek", "van", "strafvordering"): "Sv",
        ("wetboek", "van", "koophandel"): "WvK",
        ("grondwet",): "Gw",
        ("faillissementswet",): "Fw",
        ("gemeentewet",): "Gemw",
        ("omgevingswet",): "Ow",
        ("algemene", "verordening", "gegevensbescherming"): "AVG",
        ("general", "data", "protection", "regulation"): "GDPR",
        ("wet", "op", "het", "financieel", "toezicht"): "Wft",
        ("wet", "op", "de", "ondernemingsraden"): "WOR",
        ("wet", "op", "de", "rechterlijke", "organisatie"): "RO",
    }
)
"""Full names in lower case, word by word."""

SAME = MappingProxyType(
    {
        "gdpr": "avg",
        "echr": "evrm",
        "tfeu": "vweu",
        "teu": "veu",
        "wvsr": "sr",
        "wvsv": "sv",
        "gemeentewet": "gemw",
        "grondwet": "gw",
        "faillissementswet": "fw",
        "omgevingswet": "ow",
        "dcc": "bw",
    }
)
"""Short names of one and the same law, in lower case; used in comparison alone."""

ENDINGS = (
    "wet",
    "wetboek",
    "besluit",
    "regeling",
    "verordening",
    "verdrag",
    "reglement",
    "richtlijn",
    "voorwaarden",
    "act",
    "code",
)
"""How a single word that names a law ends."""

CONNECTORS = word_set("op de het van voor inzake der tot en betreffende ter den")
"""Small words inside the name of a law that begins with ``Wet``."""


def law_key(law: str | None) -> str | None:
    """What two names of one law share."""
    if law is None:
        return None
    low = " ".join(law.lower().split())
    return SAME.get(low, low)
