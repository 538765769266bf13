import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wardlens.evaluators.examples.example import SECTIONS
from wardlens.evaluators.text import sections
from wardlens.evaluators.text.sections import HEADINGS, tag_sections

SUBJECTIVE, EXAM, RESULTS, PLAN = SECTIONS

EMPTY = "#####EMPTY#####"
"""What ACI-Bench writes for a section that a note lacks."""


def aci_bench(shared: Path, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((shared / "data/aci_bench" / name).read_text())
    return rows


def test_every_section_of_aci_bench_is_tagged_as_published(shared: Path) -> None:
    rows = aci_bench(shared, "test1.claims.json")
    published = [
        {
            section: row[f"reference_{section}"]
            for section in SECTIONS
            if row[f"reference_{section}"] not in {"", EMPTY}
        }
        for row in rows
    ]

    assert len(rows) == 40
    assert [tag_sections(row["reference"]) for row in rows] == published


def test_real_outputs_have_four_sections_that_begin_with_their_headings(shared: Path) -> None:
    beginnings = Counter(
        (section, text.split(":")[0])
        for row in aci_bench(shared, "test1.gpt4_notes.json")
        for section, text in tag_sections(row["output"]).items()
        if section != SUBJECTIVE
    )

    assert beginnings == {
        (EXAM, "PHYSICAL EXAM"): 40,
        (RESULTS, "RESULTS"): 40,
        (PLAN, "ASSESSMENT AND PLAN"): 40,
    }


def test_a_note_is_divided_at_its_headings_and_keeps_its_whitespace() -> None:
    note = (
        "CHIEF COMPLAINT\n\nCough.\n\nHISTORY OF PRESENT ILLNESS\n\nDry cough, 2 weeks.\n\n"
        "PHYSICAL EXAM\n\nLungs\nClear.\n\nRESULTS\n\nX-ray is normal.\n\n"
        "ASSESSMENT\n\nViral cough.\n\nPLAN\n\nFluids.\n"
    )

    assert tag_sections(note) == {
        SUBJECTIVE: note[: note.index("PHYSICAL")],
        EXAM: "PHYSICAL EXAM\n\nLungs\nClear.\n\n",
        RESULTS: "RESULTS\n\nX-ray is normal.\n\n",
        PLAN: "ASSESSMENT\n\nViral cough.\n\nPLAN\n\nFluids.\n",
    }


def test_paragraphs_of_a_section_are_joined_in_the_order_of_the_note() -> None:
    assert tag_sections("PLAN\nRest.\nHPI: Cough.\nInstructions: Come back.\n") == {
        SUBJECTIVE: "HPI: Cough.\n",
        PLAN: "PLAN\nRest.\nInstructions: Come back.\n",
    }


def test_a_note_without_a_known_heading_has_no_sections() -> None:
    assert tag_sections("") == {}
    assert tag_sections("The patient is well.\n\nHOBBIES\n\nChess.\n") == {}


def test_text_before_the_first_heading_is_subjective() -> None:
    assert tag_sections("Seen today with a cough.\n\nExam: Lungs clear.") == {
        SUBJECTIVE: "Seen today with a cough.\n\n",
        EXAM: "Exam: Lungs clear.",
    }


def test_whitespace_before_the_first_heading_belongs_to_that_heading() -> None:
    assert tag_sections("\n\n  Exam: Lungs clear.") == {EXAM: "\n\n  Exam: Lungs clear."}


def test_an_unknown_heading_stays_with_the_section_in_force() -> None:
    note = "RESULTS\n\nSpirometry\nNormal.\n\nOVERALL: Reassuring.\n"

    assert tag_sections(note) == {RESULTS: note}


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", "\f", "\u2028"])
def test_lines_end_at_any_line_break(line_break: str) -> None:
    note = line_break.join(["HPI:", "Cough.", "PHYSICAL EXAM", "Clear."])

    assert list(tag_sections(note)) == [SUBJECTIVE, EXAM]


@pytest.mark.parametrize(
    ("line", "section"),
    [
        ("CC: Cough", SUBJECTIVE),
        ("HPI", SUBJECTIVE),
        ("History of Present Illness (HPI):", SUBJECTIVE),
        ("ROS: Negative.", SUBJECTIVE),
        ("Review of system", SUBJECTIVE),
        ("PMHx: Asthma", SUBJECTIVE),
        ("Past Medical Hx:", SUBJECTIVE),
        ("PAST MEDICAL/SURGICAL HISTORY", SUBJECTIVE),
        ("Social history: Retired.", SUBJECTIVE),
        ("FAMILY HISTORIES", SUBJECTIVE),
        ("Past surgical history:", SUBJECTIVE),
        ("physical exam: clear lungs", EXAM),
        ("Physical\xa0Examination", EXAM),
        ("**Physical exam:** Clear.", EXAM),
        ("**Physical exam**: Clear.", EXAM),
        ("OBJECTIVE_EXAM:", EXAM),
        ("Objective - exam:", EXAM),
        ("Vitals and physical exam:", EXAM),
        ("RESULTS", RESULTS),
        ("Objective results:", RESULTS),
        ("Results / imaging:", RESULTS),
        ("## PLAN", PLAN),
        ("### 4. Plan ###", PLAN),
        ("**4. Plan**", PLAN),
        ("4. **Plan:** Rest.", PLAN),
        ("IV. Plan", PLAN),
        ("4) PLAN:", PLAN),
        ("- Plan: Rest.", PLAN),
        ("=== PLAN ===", PLAN),
        ("[Plan]", PLAN),
        ("  Plan  :  Rest.", PLAN),
        ("Plan - Rest.", PLAN),
        ("PLANS", PLAN),
        ("A/P: Cough.", PLAN),
        ("A & P", PLAN),
        ("A&P:", PLAN),
        ("ASSESSMENT AND PLAN", PLAN),
        ("Assessment & Plan:", PLAN),
        ("Assessment/Plan:", PLAN),
        ("Impression and plan:", PLAN),
        ("Impression", PLAN),
        ("Patient instructions: Rest.", PLAN),
    ],
)
def test_headings_are_known_however_they_are_written(line: str, section: str) -> None:
    opened = PLAN if section != PLAN else SUBJECTIVE
    before = {PLAN: "PLAN: Rest.\n\n", SUBJECTIVE: "HPI: Cough for a week.\n\n"}[opened]

    assert tag_sections(f"{before}{line}\n") == {opened: before, section: f"{line}\n"}


@pytest.mark.parametrize(
    ("line", "section"),
    [
        ("MEDICATIONS", SUBJECTIVE),
        ("Current meds: None", SUBJECTIVE),
        ("Allergies: None", SUBJECTIVE),
        ("Medications and allergies:", SUBJECTIVE),
        ("PE: Clear lungs.", EXAM),
        ("LABS", RESULTS),
        ("Lab: A1c 8", RESULTS),
        ("Laboratory results:", RESULTS),
        ("Imaging:", RESULTS),
        ("Labs/imaging:", RESULTS),
        ("X-rays: Normal.", RESULTS),
        ("Follow up: In 2 weeks.", PLAN),
        ("FOLLOW-UP", PLAN),
        ("Diagnoses:", PLAN),
    ],
)
def test_headings_that_also_divide_other_sections_open_their_own(line: str, section: str) -> None:
    opened = EXAM if section != EXAM else RESULTS
    before = {EXAM: "EXAM\nNormal.\n", RESULTS: "RESULTS\nNormal.\n"}[opened]

    assert tag_sections(f"{before}{line}\n") == {opened: before, section: f"{line}\n"}


@pytest.mark.parametrize("line", ["Medications: Stop all.", "LABS\nCBC in May.", "Allergies:"])
def test_what_is_ordered_under_a_plan_stays_in_the_plan(line: str) -> None:
    note = f"PLAN\n\n{line}\n"

    assert tag_sections(note) == {PLAN: note}


def test_vitals_stay_with_the_section_in_force_as_in_aci_bench() -> None:
    assert list(tag_sections("HPI: Cough.\nVITALS\nStable.\n")) == [SUBJECTIVE]
    assert list(tag_sections("EXAM\nVitals: Stable.\n")) == [EXAM]
    assert list(tag_sections("Vitals: Stable.\n")) == [EXAM]


def test_an_impression_ends_the_results_only_if_written_as_loud_as_their_heading() -> None:
    report = "RESULTS\n\nUltrasound\nImpression: No stones.\n\n"

    assert tag_sections(report) == {RESULTS: report}
    assert tag_sections(report + "IMPRESSION\n\nCough.") == {
        RESULTS: report,
        PLAN: "IMPRESSION\n\nCough.",
    }
    assert list(tag_sections("Results: Normal.\nImpression: Cough.")) == [RESULTS, PLAN]


def test_a_diagnosis_within_results_is_a_result() -> None:
    note = "RESULTS\n\nBiopsy\nDiagnosis: Benign naevus.\n"

    assert tag_sections(note) == {RESULTS: note}


def test_a_complaint_named_like_a_heading_stays_the_complaint() -> None:
    note = "CHIEF COMPLAINT\n\nFollow up\n\nHPI\n\nDoing well.\n"

    assert tag_sections(note) == {SUBJECTIVE: note}


@pytest.mark.parametrize(
    "text",
    [
        "The plan was discussed.",
        "Plan to see her in a week.",
        "Results were normal: no fracture.",
        "She agrees with the assessment and plan.",
        "He had a physical exam: all was normal.",
        "Labs and imaging from May were reviewed: normal.",
        "Plan.",
        "- Impression",
        "* Plan",
        "2. plan",
        "We talked for a long time about the results and about the\nplan: he will rest.",
        "We talked for a long time about the results and about the\nplan",
        "It was a good Plan: he rested.",
        "Planned: nothing. Exams: three. Replan: no.",
        "ASSESSMENT OF GAIT: Normal.",
        "1. Results pending\n2. Planning",
        "A: yes\nP: 72",
    ],
)
def test_a_sentence_with_the_word_of_a_heading_is_no_heading(text: str) -> None:
    note = f"SUBJECTIVE\n\n{text}\n"

    assert tag_sections(note) == {SUBJECTIVE: note}


def test_a_heading_in_capitals_counts_amid_a_line() -> None:
    note = (
        "Possible clinical note:  HISTORY OF PRESENT ILLNESS: A cough.  \nPHYSICAL EXAM:\n Clear."
    )

    assert tag_sections(note) == {
        SUBJECTIVE: "Possible clinical note:  HISTORY OF PRESENT ILLNESS: A cough.  \n",
        EXAM: "PHYSICAL EXAM:\n Clear.",
    }
    assert tag_sections("HPI: Cough [1]. EXAM: Clear. RESULTS: None.  A/P: Rest.") == {
        SUBJECTIVE: "HPI: Cough [1]. ",
        EXAM: "EXAM: Clear. ",
        RESULTS: "RESULTS: None.  ",
        PLAN: "A/P: Rest.",
    }


def test_a_heading_in_bold_counts_amid_a_line() -> None:
    assert tag_sections("**Subjective:** Cough **Plan:** Rest") == {
        SUBJECTIVE: "**Subjective:** Cough ",
        PLAN: "**Plan:** Rest",
    }


def test_single_letters_count_in_the_order_of_soap() -> None:
    note = "S: Cough.\nO: Temperature 37\nP: 72\n"

    assert tag_sections(note + "A: Viral.\nP: Rest.\n") == {
        SUBJECTIVE: "S: Cough.\n",
        EXAM: "O: Temperature 37\nP: 72\n",
        PLAN: "A: Viral.\nP: Rest.\n",
    }
    assert tag_sections("S: Let me see.\nP: It hurts.\nA: Yes.\n") == {}


def test_no_name_stands_in_two_places_of_the_table() -> None:
    names = [name for heading in HEADINGS for name in heading.names.split(", ")]

    assert len(names) == len(set(names))
    assert {heading.section for heading in HEADINGS} == {*SECTIONS, None}


PIECES = st.one_of(
    st.sampled_from([name for heading in HEADINGS for name in heading.names.split(", ")]),
    st.sampled_from(["S:", "O:", "A:", "P:", "CC", "PLAN", "Physical Exam", "\u017fubjective"]),
    st.sampled_from([" ", "  ", "\n", "\n\n", "\r\n", ": ", "**", "## ", "1. ", "- ", " and "]),
    st.sampled_from([". ", "/", "&", "(", ")", "]", "\xa0", "\x1c", "\u2028", "patient"]),
    st.text(max_size=8),
)
NOTES = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))


def occurs_in_order(part: str, whole: str) -> bool:
    rest = iter(whole)
    return all(character in rest for character in part)


@given(note=NOTES)
def test_sections_divide_any_text(note: str) -> None:
    tagged = tag_sections(note)

    assert list(tagged) == [section for section in SECTIONS if section in tagged]
    assert all(occurs_in_order(text, note) for text in tagged.values())
    assert not tagged or Counter("".join(tagged.values())) == Counter(note)


@given(data=st.data(), spelt=st.sampled_from([str.lower, str.upper, str.capitalize]))
def test_every_spelling_of_a_name_has_its_meaning(
    data: st.DataObject, spelt: Callable[[str], str]
) -> None:
    name = data.draw(st.sampled_from(list(sections._NAMES)))
    spelling = spelt(data.draw(st.from_regex(sections._pattern(name), fullmatch=True)))

    assert sections._KNOWN[sections._key(spelling)] == sections._NAMES[name]


@given(data=st.data())
def test_every_word_is_in_the_section_of_the_heading_above_it(data: st.DataObject) -> None:
    loud = {"SUBJECTIVE": SUBJECTIVE, "EXAM": EXAM, "Results:": RESULTS, "**Plan:** ": PLAN}
    drawn = data.draw(st.lists(st.sampled_from(list(loud)), min_size=1, max_size=12))
    bodies = [f"\nword{number}\n\n" for number in range(len(drawn))]
    note = "".join(heading + body for heading, body in zip(drawn, bodies, strict=True))
    expected = dict.fromkeys(SECTIONS, "")
    for heading, body in zip(drawn, bodies, strict=True):
        expected[loud[heading]] += heading + body

    assert tag_sections(note) == {section: text for section, text in expected.items() if text}


@pytest.mark.parametrize(
    "repeated",
    [
        " ",
        "\n",
        "a\n",
        "-\n",
        "*",
        " **",
        "1. ",
        ". AA",
        "S:\n",
        "plan\n",
        "PLAN: ",
        "plan (",
        "plan and ",
        "  PAST MEDICAL AND PAST MEDICAL AND PAST MEDICAL AND PAST MEDICAL X",
        "HPI: Cough.\nEXAM\nClear.\nRESULTS\nNone.\nA/P: Rest.\n",
        "The patient is well and agrees with the plan. ",
    ],
)
def test_a_million_characters_take_less_than_two_seconds(repeated: str) -> None:
    note = repeated * (1_000_000 // len(repeated))
    begin = process_time()
    tag_sections(note)

    assert process_time() - begin < 2
