"""Records of Rechtspraak's open data, read as XML.

The shape (Open Data van de Rechtspraak, v1.15): ``<open-rechtspraak>`` without a namespace holds ``rdf:RDF`` with
one or two ``rdf:Description`` (the first is the register's own, the second the deeplink's), and after it
``<inhoudsindicatie>`` and ``<uitspraak>`` or ``<conclusie>`` when the text is published. Everything here is pure:
bytes in, values out.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

from sluis.core import InputError

from ._ruling_body import Paragraph, has_words, local_name, plain_text, read_body, squeeze
from ._xml import ForbiddenDoctypeError, MalformedXmlError, parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = [
    "ForbiddenDoctypeError",
    "MalformedXmlError",
    "NotARulingError",
    "Paragraph",
    "Relation",
    "RulingRecord",
    "parse_ruling",
]

_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_TERMS = "{http://purl.org/dc/terms/}"
_PSI = "{http://psi.rechtspraak.nl/}"
_RS = "{http://www.rechtspraak.nl/schema/rechtspraak-1.0}"
_PSI_PREFIXES = (
    "http://psi.rechtspraak.nl/",
    "https://psi.rechtspraak.nl/",
    "http://psi.rechtspraak/",
    "https://psi.rechtspraak/",
)


class NotARulingError(InputError):
    """Well-formed XML, but not one record of the register: another root, no identifier, or more than one."""

    code = "usage.input.ruling.not_a_ruling"


@dataclass(frozen=True, kw_only=True, slots=True)
class Relation:
    """A formal relation between this ruling and another.

    Attributes:
        target: the other ruling, as written (an ECLI); empty when the record names none.
        type: last part of the type's URI (``cassatie``), as written; empty when absent.
        direction: whether the *other* ruling is ``later`` or ``earlier`` than this one; ``None``: absent or unknown.
        outcome: the *gevolg* without its URI (``(Gedeeltelijke) vernietiging met verwijzen``); empty when absent.
        label: the words of the record.
    """

    target: str
    type: str
    direction: Literal["earlier", "later"] | None
    outcome: str
    label: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RulingRecord:
    """One ruling or advocate-general's opinion of the register.

    Attributes:
        ecli: its identifier, in upper case.
        court: the deciding body's name. court_uri: its URI, or empty.
        decided: date of the ruling. issued: date of publication. ``None``: absent or unreadable.
        modified: when the record last changed, as written (local time, no zone).
        document_type: ``uitspraak`` or ``conclusie``, in lower case; empty when absent.
        title: the title of the deeplink's description, or empty.
        abstract: the *inhoudsindicatie* as one text, or empty.
        subjects, procedures, case_numbers: as written, in order.
        access: ``public`` for all that is published; empty when absent.
        language: as written.
        url: the canonical deeplink for people.
        relations: all formal relations, of both descriptions.
        replaces: what this record replaced (an LJN, or ECLIs of another court): this one is the successor.
        replaced_by: what replaced this record; an empty string stands for an element without text.
        body_kind: the element that holds the text; ``None``: the text is not published.
        body_ids: the ``id`` attributes of text and abstract (``ECLI:...:DOC``).
        paragraphs: the text in document order; empty when it is not published, or was not asked for.
    """

    ecli: str
    court: str
    court_uri: str
    decided: date | None
    issued: date | None
    modified: str
    document_type: str
    title: str
    abstract: str
    subjects: tuple[str, ...]
    procedures: tuple[str, ...]
    case_numbers: tuple[str, ...]
    access: str
    language: str
    url: str
    relations: tuple[Relation, ...]
    replaces: tuple[str, ...]
    replaced_by: tuple[str, ...]
    body_kind: Literal["uitspraak", "conclusie"] | None
    body_ids: tuple[str, ...]
    paragraphs: tuple[Paragraph, ...]

    @property
    def has_text(self) -> bool:
        """Whether the register publishes the text itself."""
        return self.body_kind is not None


def parse_ruling(data: bytes, *, body: bool = True) -> RulingRecord:
    """Read one record.

    Args:
        data: the bytes as served or as stored; UTF-8, a byte order mark is allowed.
        body: whether to read the paragraphs too; without them a status needs a fraction of the time.

    Raises:
        MalformedXmlError: not well-formed, cut off, not UTF-8.
        ForbiddenDoctypeError: it declares a document type or an entity.
        NotARulingError: well-formed, but not one record of this register.
    """
    root = parse_xml(data)
    if root.tag != "open-rechtspraak":
        raise NotARulingError("The document is not a record of Rechtspraak's open data.", hint="Its root is another.")
    metadata = root.findall(f"{_RDF}RDF")
    descriptions = [item for part in metadata for item in part.findall(f"{_RDF}Description")]
    if not descriptions:
        raise NotARulingError("The record has no description.", hint="It may have been cut off.")
    first, *others = descriptions
    identifiers = _texts(first, f"{_TERMS}identifier")
    if len(identifiers) != 1 or not identifiers[0]:
        raise NotARulingError(f"The record has {len(identifiers)} identifiers; it needs one.")
    bodies = [element for kind in ("uitspraak", "conclusie") for element in root.findall(f"{_RS}{kind}")]
    abstracts = root.findall(f"{_RS}inhoudsindicatie")
    if len(bodies) > 1 or len(abstracts) > 1:
        raise NotARulingError("The record holds more than one text.")
    # An element without a word in it publishes nothing.
    text = next((element for element in bodies if has_words(element)), None)
    ecli = identifiers[0].upper()
    return RulingRecord(
        ecli=ecli,
        court=_first(first, f"{_TERMS}creator"),
        court_uri=_attribute(first.find(f"{_TERMS}creator"), "resourceIdentifier"),
        decided=_date(_first(first, f"{_TERMS}date")),
        issued=_date(_first(first, f"{_TERMS}issued")),
        modified=_first(first, f"{_TERMS}modified"),
        document_type=_first(first, f"{_TERMS}type").lower(),
        title=next((_first(other, f"{_TERMS}title") for other in others), ""),
        abstract=plain_text(abstracts[0]) if abstracts else "",
        subjects=_texts(first, f"{_TERMS}subject"),
        procedures=_texts(first, f"{_PSI}procedure"),
        case_numbers=_texts(first, f"{_PSI}zaaknummer"),
        access=_first(first, f"{_TERMS}accessRights").lower(),
        language=_first(first, f"{_TERMS}language"),
        url=f"https://deeplink.rechtspraak.nl/uitspraak?id={ecli}",
        # Bad news counts wherever it stands, so relations and replacements are read at any place in the metadata.
        relations=tuple(_relation(item) for part in metadata for item in part.iter(f"{_TERMS}relation")),
        replaces=_texts(first, f"{_TERMS}replaces"),
        replaced_by=tuple(plain_text(item) for part in metadata for item in part.iter(f"{_TERMS}isReplacedBy")),
        body_kind=None if text is None else _body_kind(text),
        body_ids=tuple(value for item in (*bodies, *abstracts) if (value := _attribute(item, "id"))),
        paragraphs=read_body(text) if body and text is not None else (),
    )


def _body_kind(element: _Element) -> Literal["uitspraak", "conclusie"]:
    return "uitspraak" if local_name(element) == "uitspraak" else "conclusie"


def _texts(element: _Element, tag: str) -> tuple[str, ...]:
    return tuple(plain_text(item) for item in element.findall(tag))


def _first(element: _Element, tag: str) -> str:
    return next(iter(_texts(element, tag)), "")


def _attribute(element: _Element | None, name: str) -> str:
    """The value of an attribute by local name, whatever its namespace; the record mixes both."""
    if element is None:
        return ""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return squeeze(str(value))
    return ""


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _psi_name(uri: str) -> str:
    """What a psi URI names; URIs are unencoded, hold spaces, and some lack the ``.nl``."""
    text = squeeze(unquote(uri))
    for prefix in _PSI_PREFIXES:
        if text.lower().startswith(prefix):
            return text[len(prefix) :]
    return text


def _relation(element: _Element) -> Relation:
    direction, kind, outcome = (_psi_name(element.get(f"{_PSI}{name}") or "") for name in ("aanleg", "type", "gevolg"))
    direction = direction.lower()
    return Relation(
        target=_attribute(element, "resourceIdentifier").upper(),
        type=kind,
        direction="later" if direction == "latereaanleg" else "earlier" if direction == "eerdereaanleg" else None,
        outcome=outcome.removeprefix("gevolg#"),
        label=plain_text(element),
    )
