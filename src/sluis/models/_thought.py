"""Finds thoughts that a model wrote into its answer.

Rules, in order:

1. A tag is one of the openers or closers below, in any case, with spaces, invisible characters or attributes
   inside it. Tags in a code span or in quotation marks, and tags that the next word calls a tag, are mentions.
2. From an opener to its closer, both included, is thought. An opener without a closer: to the end of the text.
3. A closer without an opener: from the start of the text.
4. What is left is the answer text. That there was a thought at all is a leak, whatever is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import re2

from ._wellformed import well_formed

__all__ = ["ThoughtScan", "scan_thoughts"]

_WORDS = (
    "think|thinking|thought|thoughts|reason|reasoning|rationale|scratchpad|reflection|reflections|analysis|"
    "inner_monologue|inner_thoughts|internal_monologue|internal_thoughts|chain_of_thought|cot|deliberation|"
    "begin_of_thought|end_of_thought|start_thinking|end_thinking|begin_of_think|end_of_think"
)
_GAP = r"[\s\x{00AD}\x{200B}-\x{200F}\x{2060}\x{FEFF}]*"
_OPEN = r"(?:<|＜|◁|&lt;)"
_SHUT = r"(?:>|＞|▷|&gt;)"
_SLASH = r"(?:/|／|∕|⁄)"
_NAME = rf"(?:[a-z][a-z0-9]{{0,19}}:)?(?:{_WORDS})"
_REST = r"(?:\s[^<>＜＞\n]{0,100}?=[^<>＜＞\n]{0,100}?|\s{0,9}/)?"

_TAG = re2.compile(
    rf"(?i)(?P<closer>{_OPEN}{_GAP}{_SLASH}{_GAP}\|?{_GAP}{_NAME}{_GAP}\|?{_GAP}{_SHUT}"
    rf"|<\|{_GAP}(?:end_of_thought|end_thinking|end_of_think|/think|/thinking){_GAP}\|>"
    rf"|\[{_GAP}/{_GAP}(?:think|thinking|reasoning){_GAP}\])"
    rf"|(?P<opener>{_OPEN}{_GAP}\|?{_GAP}{_NAME}{_GAP}{_REST}\|?{_GAP}{_SHUT}"
    rf"|\[{_GAP}(?:think|thinking|reasoning){_GAP}\]"
    rf"|<unused94>thought)"
)
_HARMONY = re2.compile(r"(?i)<\|?(?:channel|start|message|end|return|call|constrain)\|?>")
_FINAL = re2.compile(r"(?i)<\|channel\|>\s*final\s*(?:<\|message\|>)")
_MENTION = re2.compile(
    r"(?i)^[\x{2018}\x{2019}'\"`]?[\s-](?:html|xml)?[\s-]?(?:tags?|tokens?|elements?|elementen|labels?|markers?|blocks?|blok|blokken)\b"
)
_QUOTES = {"`": "`", '"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "”"}


@dataclass(frozen=True, kw_only=True)
class ThoughtScan:
    """What is left of a text and whether anything was taken from it.

    Attributes:
        text: the text without thoughts; without a leak, the text as it came.
        leaked: whether a thought, or a tag of one, was found.
    """

    text: str
    leaked: bool


def _is_mention(text: str, start: int, end: int, lead: int) -> bool:
    before = text[start - 1] if start else ""
    after = text[end] if end < len(text) else ""
    if before in _QUOTES and after == _QUOTES[before]:
        return True
    if start <= lead:  # nothing was said before it, so it is not spoken of
        return False
    return _MENTION.match(text[end : end + 40]) is not None


def _harmony(text: str, lead: int) -> ThoughtScan | None:
    """A transcript of channels: only what follows the last ``final`` channel is the answer."""
    controls = [found for found in _HARMONY.finditer(text) if not _is_mention(text, found.start(), found.end(), lead)]
    if not any("|" in found.group(0) for found in controls):
        return None
    finals = list(_FINAL.finditer(text))
    if not finals:
        return ThoughtScan(text="", leaked=True)
    answer = text[finals[-1].end() :]
    stop = _HARMONY.search(answer)
    return ThoughtScan(text=(answer if stop is None else answer[: stop.start()]).strip(), leaked=True)


def scan_thoughts(text: str) -> ThoughtScan:
    """Take thoughts out of a text and say whether there were any.

    Args:
        text: what the provider gave as the answer.
    """
    text = well_formed(text)
    lead = len(text) - len(text.lstrip())
    channels = _harmony(text, lead)
    if channels is not None:
        return channels
    kept: list[str] = []
    position = 0
    depth = 0
    leaked = False
    for found in _TAG.finditer(text):
        start, end = found.span()
        if _is_mention(text, start, end, lead):
            continue
        leaked = True
        closes = found.group("closer") is not None or _closes_itself(found.group(0))
        if not closes:
            if depth == 0:
                kept.append(text[position:start])
            depth += 1
        elif depth == 0:
            # Nobody opened it: all that came before is thought.
            kept = []
        else:
            depth -= 1
        position = end
    if depth == 0:
        kept.append(text[position:])
    if not leaked:
        return ThoughtScan(text=text, leaked=False)
    return ThoughtScan(text="".join(kept).strip(), leaked=True)


def _closes_itself(tag: str) -> bool:
    """``<|end_of_thought|>`` and its like carry their meaning in the name."""
    lowered = tag.lower()
    return "end_of_th" in lowered or "end_thinking" in lowered
