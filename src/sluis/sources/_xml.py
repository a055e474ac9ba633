"""XML from outside, read so that it can do no harm: no DTD, no entities, no network, bounded depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sluis.core import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["ForbiddenDoctypeError", "MalformedXmlError", "parse_xml"]

_BOM = b"\xef\xbb\xbf"


class MalformedXmlError(InputError):
    """The bytes are not well-formed XML in UTF-8."""

    code = "usage.input.xml.malformed"


class ForbiddenDoctypeError(InputError):
    """The document declares a document type or an entity; records have neither, attacks do."""

    code = "usage.input.xml.doctype"


def parse_xml(data: bytes) -> _Element:
    """Parse a document that someone else sent.

    Only UTF-8 is read, with or without a byte order mark, so that the scan for a declaration sees what the parser
    sees. A declaration is refused wherever it stands, before the parser could act on it.

    Raises:
        MalformedXmlError: not UTF-8, cut off, or not well-formed.
        ForbiddenDoctypeError: it declares a document type or an entity.
    """
    from lxml import etree

    body = data.removeprefix(_BOM)
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        raise MalformedXmlError("The document is not UTF-8.", hint="Records of this register are.") from None
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        raise ForbiddenDoctypeError("The document declares a document type.", hint="No record has one.")
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        recover=False,
        remove_comments=True,
        remove_pis=True,
        # Whatever the XML declaration claims: what was scanned above is what is parsed.
        encoding="utf-8",
    )
    try:
        return etree.fromstring(body, parser)
    except etree.XMLSyntaxError as error:
        raise MalformedXmlError(
            f"The document is not well-formed XML (line {error.lineno}).", hint="It may have been cut off."
        ) from None
