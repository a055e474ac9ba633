"""retrieval.fingerprint: the answer rests on one index, made with one pin set, and the manifest allows both."""

from __future__ import annotations

from sluis.core import Case, Finding, finding

NAME = "retrieval.fingerprint"


class RetrievalFingerprint:
    """No finding of this check can be waived: who lets an unknown index pass does not know what was searched.

    Steps, in order; each has its own reason, and all of them block:

    1. ``no_manifest``: without a manifest nothing is allowed.
    2. ``unknown_fingerprint``: the index is not on the manifest.
    3. ``no_pins``: the evidence holds no chunk, so that nothing says what shaped it.
    4. ``mixed_pins``: chunks, or chunks and stamp, name more than one pin set.
    5. ``unknown_pins``: a pin set is not on the manifest.
    """

    name = NAME
    version = 1

    async def run(self, case: Case) -> tuple[Finding, ...]:
        """All objections to the index that the evidence came from."""
        manifest = case.context.manifest
        stamp = case.evidence.stamp
        about = {"alias": stamp.alias, "collection": stamp.collection, "fingerprint": stamp.fingerprint}
        if manifest is None:
            message = "There is no deploy manifest, so no index is allowed."
            return (finding(NAME, "block", "no_manifest", message, evidence=about),)
        findings: list[Finding] = []
        if stamp.fingerprint not in manifest.fingerprints:
            message = f"The index behind {stamp.alias!r} is not on the deploy manifest in this state."
            findings.append(finding(NAME, "block", "unknown_fingerprint", message, evidence=about))
        in_chunks = {item.chunk.pins for item in case.evidence.items}
        pins = sorted(in_chunks | set(stamp.pins))
        if not in_chunks:
            message = "No chunk was shown, so nothing says with what the index was made."
            findings.append(finding(NAME, "block", "no_pins", message, evidence=about))
        if len(pins) > 1:
            message = f"The chunks were made with {len(pins)} different pin sets; they cannot be compared."
            findings.append(finding(NAME, "block", "mixed_pins", message, evidence=about | {"pins": pins}))
        for pin in pins:
            if pin not in manifest.pins:
                message = "The pin set that shaped the chunks is not on the deploy manifest."
                findings.append(finding(NAME, "block", "unknown_pins", message, evidence=about | {"pins": pin}))
        return tuple(findings)
