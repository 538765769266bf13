"""From a cited output to statements, whatever the output and the input look like."""

import time
import tracemalloc
from typing import NamedTuple

import pytest

from tests.evaluators.metrics.fake_judges import cited, conventions
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import Example
from wardlens.evaluators.metrics.statements import cited_texts

SOURCE = "[0] a\n[1] b\n[2] c\n[3] d\n[4] e\n[5] f"
MODES = ("sent", "citation")
EVERY_MODE = pytest.mark.parametrize("split", MODES)
A_MILLION = 1_000_000


class Found(NamedTuple):
    """A statement's text, the numbers that exist, and how many citations dangle."""

    text: str
    cited: tuple[int, ...]
    dangling: int = 0


def statements(
    output: str, source: str = SOURCE, *, rules: str = "paper", split: str = "sent"
) -> list[Found]:
    (text,) = cited_texts(cited(output, source), conventions(rules, split=split))
    assert text.section == "full"
    return [Found(s.text.reveal(), s.cited, s.n_dangling) for s in text.statements]


@EVERY_MODE
@pytest.mark.parametrize(
    ("output", "numbers"),
    [
        ("Cough [1].", (1,)),
        ("Cough [1][2].", (1, 2)),
        ("Cough [1] [2].", (1, 2)),
        ("Cough [2][1].", (2, 1)),
        ("Cough [1, 2].", (1, 2)),
        ("Cough [1,2].", (1, 2)),
        ("Cough [1; 2].", (1, 2)),
        ("Cough [3-5].", (3, 4, 5)),
        ("Cough [3\u20135].", (3, 4, 5)),
        ("Cough [3 - 5].", (3, 4, 5)),
        ("Cough [0, 3-5][1].", (0, 3, 4, 5, 1)),
        ("Cough [2-2].", (2,)),
        ("Cough [ 1 ].", (1,)),
        ("Cough [01].", (1,)),
        ("Cough [" + "0" * 5000 + "1].", (1,)),
        ("Cough [\u0663].", (3,)),
        ("Cough[1].", (1,)),
        ("Cough. [1]", (1,)),
        ("Cough.[1]", (1,)),
        ("Cough.\n[1]", (1,)),
        ("Cough. [1][2]", (1, 2)),
    ],
)
def test_every_form_cites_each_number_and_leaves_the_statement(
    output: str, numbers: tuple[int, ...], split: str
) -> None:
    assert statements(output, split=split) == [Found("Cough.", numbers)]


@EVERY_MODE
@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("Cough [1]. [2].", "Cough.."),
        ("Cough [1].[2]", "Cough."),
        ("Cough [1] - [2].", "Cough -."),
        ("Cough ([1], [2]).", "Cough (,)."),
        ("Cough [[1]][[2]].", "Cough [][]."),
    ],
)
def test_citations_without_a_word_between_them_belong_to_one_statement(
    output: str, text: str, split: str
) -> None:
    assert statements(output, split=split) == [Found(text, (1, 2))]


@EVERY_MODE
@pytest.mark.parametrize("output", ["Cough [1][1].", "Cough [1, 1].", "Cough [1, 0-1][0]."])
def test_a_sentence_that_is_cited_twice_counts_once(output: str, split: str) -> None:
    ((_text, numbers, dangling),) = statements(output, split=split)

    assert len(numbers) == len(set(numbers))
    assert dangling == 0


@EVERY_MODE
@pytest.mark.parametrize("joint", [" ", "\n", "\n\n"])
def test_a_marker_behind_the_full_stop_belongs_to_the_statement_before(
    joint: str, split: str
) -> None:
    for output in (f"Cough. [1]{joint}Fever. [2]", f"Cough [1].{joint}Fever [2]."):
        assert statements(output, split=split) == [Found("Cough.", (1,)), Found("Fever.", (2,))]


@EVERY_MODE
@pytest.mark.parametrize(
    ("output", "numbers", "dangling"),
    [
        ("Cough [6].", (), 1),
        ("Cough [1][6].", (1,), 1),
        ("Cough [6][7].", (), 2),
        ("Cough [6][6].", (), 1),
        ("Cough [99999999999999999999].", (), 1),
        ("Cough [99999999999999999999][88888888888888888888].", (), 2),
        ("Cough [" + "9" * 5000 + "].", (), 1),
        ("Cough [4-9].", (4, 5), 1),
        ("Cough [6-9].", (), 1),
        ("Cough [1-999999999].", (1, 2, 3, 4, 5), 1),
        ("Cough [1-99999999999999999999].", (1, 2, 3, 4, 5), 1),
        ("Cough [4-2].", (), 1),
        ("Cough [4-2, 3].", (3,), 1),
    ],
)
def test_what_reaches_beyond_the_input_or_backwards_is_one_wrong_citation(
    output: str, numbers: tuple[int, ...], dangling: int, split: str
) -> None:
    assert statements(output, split=split) == [Found("Cough.", numbers, dangling)]


@EVERY_MODE
@pytest.mark.parametrize(
    "inside",
    [
        *(
            "",
            " ",
            "-1",
            "a",
            "1a",
            "a1",
            "1.5",
            "1 2",
            "1/2",
            "1-2-3",
            "1\u20143",
            "1-",
            ",1",
            "1,",
        ),
        *("1 and 2", "1 to 3", "p. 1", "^1", "#1", "doctor", "+1", "1:2", "\u00b2"),
    ],
)
def test_brackets_with_anything_else_are_no_citation_and_stay(inside: str, split: str) -> None:
    output = f"Cough [{inside}]."

    assert statements(output, split=split) == [Found(output, ())]


@EVERY_MODE
@pytest.mark.parametrize(
    "output", ["Cough [1", "Cough 1]", "Cough (1).", "Cough {1}.", "Cough ]1[."]
)
def test_numbers_without_their_brackets_are_no_citation(output: str, split: str) -> None:
    assert statements(output, split=split) == [Found(output, ())]


@EVERY_MODE
def test_a_nested_marker_cites_and_its_outer_brackets_stay(split: str) -> None:
    assert statements("Cough [[3]].", split=split) == [Found("Cough [].", (3,))]


def test_a_marker_inside_a_word_cites_and_cuts_it_where_outputs_are_cut_at_citations() -> None:
    assert statements("Cou[3]gh.") == [Found("Cough.", (3,))]
    assert statements("Cou[3]gh.", split="citation") == [Found("Cou", (3,)), Found("gh.", ())]


def test_a_marker_before_its_statement_is_lost_only_where_outputs_are_cut_at_citations() -> None:
    assert statements("[1] Cough.") == [Found("Cough.", (1,))]
    assert statements("[1] Cough.", split="citation") == [Found("Cough.", ())]


def test_what_follows_the_last_citation_is_a_statement_too() -> None:
    assert statements("Cough [1] and fever [2] today.", split="citation") == [
        Found("Cough", (1,)),
        Found("and fever", (2,)),
        Found("today.", ()),
    ]


@EVERY_MODE
@pytest.mark.parametrize(
    "output",
    [
        *(
            "",
            " ",
            "\n\n\t",
            "\u2003",
            "...",
            "**",
            "- ",
            "-\n-\n",
            "---",
            "| --- |",
            "# ",
            "> _ _ <",
        ),
        *("[1]", "[1][2]", "[1]. [2].", "- [1]\n- [2]", "[]", "[9]"),
        *("PLAN", "PLAN:", "Medications:", "## Plan:", "**PLAN**", "NO PNEUMONIA"),
    ],
)
def test_an_output_without_a_word_or_of_headings_only_has_no_statement(
    output: str, split: str
) -> None:
    assert statements(output, split=split) == []


@EVERY_MODE
@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("PLAN [1]", "PLAN"),
        ("Medications: [1]", "Medications:"),
        ("Medications [1]:", "Medications:"),
    ],
)
def test_a_heading_with_a_citation_is_a_statement(output: str, text: str, split: str) -> None:
    assert statements(output, split=split) == [Found(text, (1,))]


@EVERY_MODE
@pytest.mark.parametrize("output", ["NO PNEUMONIA.", "1.", "7", "Cough", "咳嗽"])
def test_anything_with_a_word_that_is_no_heading_is_a_statement(output: str, split: str) -> None:
    assert statements(output, split=split) == [Found(output, ())]


@EVERY_MODE
@pytest.mark.parametrize(
    "source", ["", " ", "no numbers here", "(0) a (1) b", "[a] b", "0 1 2", "[]"]
)
def test_without_numbered_sentences_in_the_input_every_citation_is_wrong(
    source: str, split: str
) -> None:
    assert statements("Cough [0]. Fever [1-2]. Pain.", source, split=split)[:2] == [
        Found("Cough.", (), 1),
        Found("Fever.", (), 1),
    ]


@pytest.mark.parametrize(
    ("source", "sentences"),
    [
        ("[0] a [1] b", {0: "a", 1: "b"}),
        ("[0][doctor] a\n[1][patient]  b\n c", {0: "[doctor] a", 1: "[patient] b c"}),
        # Not the next number, so it belongs to the sentence.
        ("[0] a [7] b [1] c", {0: "a [7] b", 1: "c"}),
        ("[0] a [0] b [1] c", {0: "a [0] b", 1: "c"}),
        # The next number begins the next sentence, wherever it stands.
        ("[0] a [1] b [1] c", {0: "a", 1: "b [1] c"}),
        # A number is left out: what follows can't be told from a number in a sentence.
        ("[0] a [2] b [3] c", {0: "a [2] b [3] c"}),
        ("[1] a [2] b", {1: "a", 2: "b"}),
        ("Visit of 2023. [0] a [1] b", {0: "a", 1: "b"}),
        # Whatever the first number is, the others must follow it.
        ("See [7]. [0] a [1] b", {7: ". [0] a [1] b"}),
        ("[0] [1] [2]", {0: "", 1: "", 2: ""}),
        ("[0] a [1, 2] b [1-2] c", {0: "a [1, 2] b [1-2] c"}),
        ("[" + "0" * 5000 + "] a", {0: "a"}),
        ("[" + "9" * 5000 + "] a", {}),
    ],
)
def test_sentences_of_the_input_begin_at_numbers_that_follow_each_other(
    source: str, sentences: dict[int, str]
) -> None:
    (text,) = cited_texts(cited("Cough.", source), conventions())

    assert text.sentences == sentences


def test_under_released_rules_any_number_in_brackets_begins_a_sentence() -> None:
    (text,) = cited_texts(cited("Cough.", "[0] a [7] b [0] c"), conventions("released"))

    assert text.sentences == {0: "c", 7: "b"}


def test_an_empty_sentence_can_be_cited() -> None:
    assert statements("Cough [0].", "[0] [1] b") == [Found("Cough.", (0,))]


def test_sections_are_cut_each_by_itself_in_the_order_of_a_note() -> None:
    sections = {
        "assessment_and_plan": "Rest [1].",
        "subjective": "Cough [0]. Fever.",
        "objective_exam": "",
    }

    texts = cited_texts(cited("whole", SOURCE, sections=sections), conventions())

    assert [(t.section, [s.text.reveal() for s in t.statements]) for t in texts] == [
        ("subjective", ["Cough.", "Fever."]),
        ("objective_exam", []),
        ("assessment_and_plan", ["Rest."]),
    ]


def test_an_example_without_an_output_has_no_texts() -> None:
    assert cited_texts(Example(SealedText("id"), 1), conventions()) == []


def test_a_statement_may_cite_a_thousand_sentences_and_no_more() -> None:
    source = "".join(f"[{n}] s{n} " for n in range(1500))

    ((_, numbers, dangling),) = statements("Cough [0-1499].", source)

    assert numbers == tuple(range(1000))
    assert dangling == 1


def test_ranges_far_beyond_the_input_take_no_memory() -> None:
    output = "Cough " + "".join(f"[{n}-{10**12 + n}]" for n in range(1000)) + "."
    tracemalloc.start()

    ((_, numbers, dangling),) = statements(output)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (numbers, dangling) == ((0, 1, 2, 3, 4, 5), 1000)
    assert peak < 5 * 2**20


HUGE = {
    "spaces": " ",
    "line ends": "\n",
    "opening brackets": "[",
    "closing brackets": "]",
    "digits": "1",
    "full stops": ".",
    "one word": "x",
    "statements": "He coughs [1]. ",
    "list items": "- item [3]\n",
    "headings": "HEADING:\n",
    "citations only": "[0]",
    "one word and a citation": "a[1]",
    "citations far apart": "[1]" + " " * 60,
    "far ranges": "[1-999999999] ",
    "an open list": "1,",
    "runs of spaces": " " * 1000 + "x",
}


@EVERY_MODE
@pytest.mark.parametrize("piece", HUGE.values(), ids=HUGE.keys())
def test_a_note_of_a_million_characters_is_cut_within_seconds(piece: str, split: str) -> None:
    output = (piece * A_MILLION)[:A_MILLION]
    if piece == "1,":
        output = "[" + output
    started = time.process_time()

    statements(output, split=split)

    assert time.process_time() - started < 5


@EVERY_MODE
def test_a_million_characters_are_cut_within_seconds_under_released_rules_too(split: str) -> None:
    # None cites, so that each looks for the citations of the next that does.
    output = "He coughs 2. " * (A_MILLION // 13)
    started = time.process_time()

    found = statements(output, rules="released", split=split)

    assert len(found) > A_MILLION // 20
    assert time.process_time() - started < 5


def test_a_million_characters_of_different_ranges_are_read_within_seconds() -> None:
    source = "".join(f"[{n}] s " for n in range(5000))
    output = "Cough " + "".join(f"[{n % 7}-{10**8 + n}]" for n in range(70_000)) + "."
    started = time.process_time()

    ((_, numbers, dangling),) = statements(output, source)

    assert (len(numbers), dangling) == (1000, 70_000)
    assert time.process_time() - started < 5


def test_an_input_of_a_million_characters_is_read_within_seconds() -> None:
    source = "".join(f"[{n}] turn {n} of the talk \n" for n in range(40_000))
    started = time.process_time()

    found = statements("Cough [39999]. Fever [40000]. " * 2000, source)

    assert found[:2] == [Found("Cough.", (39_999,)), Found("Fever.", (), 1)]
    assert time.process_time() - started < 5
