"""What a record of Rechtspraak says of its own ruling: the status table as code, without I/O.

The rules, each from the register's documentation or from a record seen (``facts`` of the project's citation notes):

1. The record is the one that was asked for: identifier and the ids of its texts name it. Else ``wrong_record``.
2. A relation *vervallenverklaring* to a later ruling: ``void``. The text stays online, so the text says nothing.
3. ``isReplacedBy``: ``replaced``; one without a value: ``empty_marker``. ``replaces`` marks the successor: no matter.
4. The summary says that the text is no longer valid: ``no_longer_valid_text``, whichever way a relation points; for
   corrections the register's directions are not reliable.
5. A *later* ruling whose outcome speaks of *vernietiging*: ``overturned``. With an *earlier* one it is this ruling
   that quashed the other, and stands.
6. No text published: ``no_text``. Not marked public: ``not_public``.
7. A correction relation: ``correction_chain``, unless this is the correcting ruling itself: one of two shapes seen,
   and its own summary says so.
8. A later instance without outcome: ``later_outcome_unknown``; with one that may or may not undo it:
   ``later_outcome_unclear``. An interlocutory ruling stands beside the final one.
9. A type, direction or outcome that is not known: ``unknown_relation``.
10. Else ``current``. The words of the ruling are never searched: rulings speak of withdrawn appeals all the time.

Of several reasons the gravest counts, in the order of :data:`GRAVITY`.
"""

from __future__ import annotations

from .rechtspraak import Relation, RulingRecord
from .source import Judgement

__all__ = ["GRAVITY", "judge_ruling", "relation_reason"]

GRAVITY = (
    "wrong_record",
    "void",
    "replaced",
    "no_longer_valid_text",
    "overturned",
    "empty_marker",
    "no_text",
    "not_public",
    "correction_chain",
    "unknown_relation",
    "later_outcome_unknown",
    "later_outcome_unclear",
    "opinion_not_followed",
)
"""Reasons against a ruling, gravest first."""

_VOIDING = "vervallenverklaring"
_CORRECTIONS = frozenset(
    {"rectificatiebesluit", "definitiefnarectificatie", "oorspronkelijkbesluitdefinitiefbesluit", "herstel"}
)
_CORRECTING_SHAPES = frozenset({("rectificatiebesluit", "earlier"), ("definitiefnarectificatie", "later")})
_INTERLOCUTORY = frozenset({"tussenuitspraak", "tussenuitspraakbestuurlijkelus"})
_OPINIONS = frozenset({"conclusie", "conclusievoorcassatie", "conclusievoorsprongcassatie", "nadereconclusie"})
_INSTANCES = frozenset(
    {
        "hogerberoep", "cassatie", "sprongcassatie", "verzet", "herziening", "verwijzing", "terugverwijzing",
        "prejudicielevraag", "inachtnemingprejudicielebeslissing", "ontnemingsvordering",
    }
)  # fmt: skip

_UPHELD = frozenset({"bekrachtiging/bevestiging", "bekrachtiging", "bevestiging", "verzet ongegrond"})
_QUASHED = frozenset(
    {
        "(gedeeltelijke) vernietiging",
        "(gedeeltelijke) vernietiging en zelf afgedaan",
        "(gedeeltelijke) vernietiging met verwijzen",
        "(gedeeltelijke) vernietiging met terugwijzen",
        "strekt tot vernietiging",
    }
)
_FOLLOWED = "gevolgd"
_NOT_FOLLOWED = frozenset({"contrair", "gedeeltelijk contrair", "(gedeeltelijk) contrair"})
_OTHER = frozenset(
    {
        "gegrondverklaring", "niet ontvankelijk", "niet bevoegd", "toewijzing", "afwijzing", "toewijzing vordering",
        "afwijzing vordering", "gedeeltelijke toewijzing vordering", "verzet toegewezen", "prejudiciële beslissing",
        "meerdere afhandelingswijzen", "overig", "onduidelijk",
    }
)  # fmt: skip
_OUTCOMES = _UPHELD | _QUASHED | _NOT_FOLLOWED | _OTHER | {_FOLLOWED, ""}

_NO_LONGER_VALID = "tekst is niet meer geldig"
_IS_CORRECTION = "tot rectificatie"


def relation_reason(relation: Relation, *, abstract: str) -> str | None:
    """What one relation says against a ruling; ``None``: nothing.

    Args:
        relation: the relation.
        abstract: the ruling's own summary, folded to lower case and single spaces.
    """
    kind = relation.type.casefold()
    outcome = " ".join(relation.outcome.casefold().split())
    if kind == _VOIDING and relation.direction is not None:
        return "void" if relation.direction == "later" else None
    if kind in _CORRECTIONS:
        is_correction = (kind, relation.direction) in _CORRECTING_SHAPES and _IS_CORRECTION in abstract
        return None if is_correction else "correction_chain"
    if relation.direction == "later" and "vernietiging" in outcome and kind not in _OPINIONS:
        return "overturned"
    if relation.direction is None or kind not in _INSTANCES | _INTERLOCUTORY | _OPINIONS or outcome not in _OUTCOMES:
        return "unknown_relation"
    if relation.direction == "earlier" or outcome in _UPHELD:
        return None
    return _later_reason(kind, outcome)


def _later_reason(kind: str, outcome: str) -> str | None:
    if not outcome:
        return None if kind in _INTERLOCUTORY else "later_outcome_unknown"
    if kind in _OPINIONS and outcome == _FOLLOWED:
        return None
    if kind in _OPINIONS and outcome in _NOT_FOLLOWED:
        return "opinion_not_followed"
    return "later_outcome_unclear"


def judge_ruling(record: RulingRecord, ecli: str, *, digest: str | None = None) -> Judgement:
    """Apply the rules above to a record.

    Args:
        record: the record that came back.
        ecli: what was asked for, in normal form.
        digest: of the bytes, passed through.
    """
    against: dict[str, str] = {}
    if record.ecli != ecli or any(not _belongs(name, ecli) for name in record.body_ids):
        against["wrong_record"] = f"asked for {ecli}"
    abstract = " ".join(record.abstract.casefold().replace("\u00ad", "").split())
    for successor in record.replaced_by:
        against["replaced" if successor else "empty_marker"] = f"isReplacedBy {successor}".strip()
    if _NO_LONGER_VALID in abstract:
        against["no_longer_valid_text"] = "inhoudsindicatie"
    if not record.has_text:
        against["no_text"] = "no uitspraak or conclusie in the record"
    if record.access not in ("", "public"):
        against["not_public"] = "accessRights"
    for relation in record.relations:
        why = relation_reason(relation, abstract=abstract)
        if why is not None:
            against.setdefault(why, relation.label[:200])
    for code in GRAVITY:
        if code in against:
            return Judgement(reason=code, detail=against[code], digest=digest)
    return Judgement(reason="current", digest=digest)


def _belongs(name: str, ecli: str) -> bool:
    """Whether an id of a text (``ECLI:NL:HR:2024:309:DOC``) is one of this ruling."""
    return name.upper() == ecli or name.upper().startswith(f"{ecli}:")
