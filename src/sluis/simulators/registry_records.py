"""Changes to a record that the register itself might make."""

from __future__ import annotations

from sluis.core import InputError

__all__ = ["UnknownRecordError", "metadata_only", "with_relation"]


class UnknownRecordError(InputError):
    """The simulator serves no record under that identifier."""

    code = "usage.input.unknown_record"


def metadata_only(data: bytes) -> bytes:
    """The record without its text, as for an unpublished one or ``return=META``."""
    from lxml import etree

    root = etree.fromstring(data)
    for child in list(root):
        if not str(child.tag).endswith("}RDF"):
            root.remove(child)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="utf-8"))


def with_relation(data: bytes, *, kind: str, target: str, later: bool, outcome: str) -> bytes:
    """The record with one formal relation more; its text unchanged."""
    from lxml import etree

    rdf, terms = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}", "{http://purl.org/dc/terms/}"
    psi, ecli = "{http://psi.rechtspraak.nl/}", "{https://e-justice.europa.eu/ecli}"
    root = etree.fromstring(data)
    description = root.find(f"{rdf}RDF/{rdf}Description")
    if description is None:
        raise UnknownRecordError("The record has no description to add a relation to.")
    relation = etree.SubElement(description, f"{terms}relation")
    relation.set(f"{ecli}resourceIdentifier", target)
    relation.set(f"{psi}type", f"http://psi.rechtspraak.nl/{kind}")
    relation.set(f"{psi}aanleg", f"http://psi.rechtspraak.nl/{'latere' if later else 'eerdere'}Aanleg")
    if outcome:
        relation.set(f"{psi}gevolg", f"http://psi.rechtspraak.nl/gevolg#{outcome}")
    relation.text = f"Vervallenverklaard door: {target}" if kind == "vervallenverklaring" else f"{kind}: {target}"
    return bytes(etree.tostring(root, xml_declaration=True, encoding="utf-8"))
