"""Thoughts in an answer's text: found, taken out, and told from talk about the tag."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.models import scan_thoughts

LEAKS: dict[str, tuple[str, str]] = {
    "an opener alone": ("<think>laat me zien [c9]", ""),
    "a closer alone": ("plan: citeer [c9]\n</think>\n\nDe termijn is 30 dagen [c1].", "De termijn is 30 dagen [c1]."),
    "an opener in the middle": ("Hallo <think> ik twijfel over [c2]", "Hallo"),
    "a pair in capitals": ("<THINKING>x</THINKING>Antwoord [c1]", "Antwoord [c1]"),
    "a pair inside a pair": ("<think>a<think>b [c9]</think>c</think>Ja [c1].", "Ja [c1]."),
    "two pairs": ("<think>a</think>Ja <think>b</think>[c1].", "Ja [c1]."),
    "a closer after a pair": ("<think>a</think>b [c9]</think>Ja [c1].", "Ja [c1]."),
    "spaces in the tag": ("< think >a</ think >Ja.", "Ja."),
    "an attribute": ('<think type="deep">a</think>Ja.', "Ja."),
    "a name space": ("<thinking>a</thinking>Ja.", "Ja."),
    "an invisible character": ("<th\u200bink>a".replace("th\u200bink", "\u200bthink") + "</think>Ja.", "Ja."),
    "wide brackets": ("＜think＞a＜/think＞Ja.", "Ja."),
    "triangles": ("◁think▷a◁/think▷Ja.", "Ja."),
    "square brackets": ("[THINK]a[/THINK]Ja.", "Ja."),
    "special tokens": ("<|START_THINKING|>a<|END_THINKING|>Ja.", "Ja."),
    "thought tokens": ("<|begin_of_thought|>a<|end_of_thought|>Ja.", "Ja."),
    "an escaped tag": ("&lt;think&gt;a&lt;/think&gt;Ja.", "Ja."),
    "channels with an answer": (
        "<|channel|>analysis<|message|>plan [c9]<|end|><|start|>assistant<|channel|>final<|message|>Ja [c1].<|return|>",
        "Ja [c1].",
    ),
    "channels without an answer": ("<|channel|>analysis<|message|>plan [c9]", ""),
    "a scratchpad": ("<scratchpad>a</scratchpad>Ja.", "Ja."),
    "a tag that is said to be a tag, at the start": ("<think> tags zijn fijn [c9]</think>Ja.", "Ja."),
}


@pytest.mark.parametrize("name", LEAKS)
def test_leak(name: str) -> None:
    text, kept = LEAKS[name]
    found = scan_thoughts(text)
    assert found.leaked
    assert found.text == kept


@pytest.mark.parametrize(
    "text",
    [
        "Use the <think> tag in HTML [c1].",
        "Zet het in `<think>` en sluit met `</think>` [c1].",
        'Het woord "<think>" staat in de bron [c1].',
        "Ik denk dat de termijn 30 dagen is [c1].",
        "De reasoning van het hof is helder [c1].",
        "a < think and b > c",
        "<b>denk</b>",
        "",
    ],
)
def test_talk_about_tags_is_no_leak(text: str) -> None:
    assert scan_thoughts(text).leaked is False
    assert scan_thoughts(text).text == text


@given(st.text(alphabet='ab <>/[]|`\n"thinkTHINK\u200b＜＞', max_size=80))
def test_what_is_left_holds_no_thought(text: str) -> None:
    found = scan_thoughts(text)
    if not found.leaked:
        assert found.text == text
    assert len(found.text) <= len(text)


@given(st.text(alphabet="abc .[1]", max_size=30), st.text(alphabet="abc .[9]", max_size=30))
def test_a_thought_is_never_part_of_the_answer(answer: str, thought: str) -> None:
    found = scan_thoughts(f"<think>{thought}</think>{answer}")
    assert found == type(found)(text=answer.strip(), leaked=True)


def test_many_tags_take_time_in_proportion() -> None:
    import time

    text = "ja <think> tag " * 20_000
    begun = time.perf_counter()
    assert scan_thoughts(text).leaked is False
    assert time.perf_counter() - begun < 2


def test_a_lone_surrogate_is_no_obstacle() -> None:
    assert scan_thoughts("\ud800<think>x</think>Ja.").text == "\ufffdJa."
