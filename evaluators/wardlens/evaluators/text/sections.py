"""Divides a clinical note into its SOAP sections, by the headings of its paragraphs.

DocLens (Table 13) scores a note by section, "divided automatically by the name of each paragraph";
on ACI-Bench it took the divisions that came with the data. This module reads the same divisions off
the headings alone. It understands English headings only and never looks at what a paragraph says:
results told under "PHYSICAL EXAM" belong to the exam.

Whatever precedes the first heading is subjective, as in ACI-Bench's own tagger: notes often begin
with the story, and leaving text out would take its claims out of the score unseen.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from wardlens.evaluators.examples.example import SECTIONS

_SUBJECTIVE, _EXAM, _RESULTS, _PLAN = SECTIONS


@dataclass(frozen=True, slots=True)
class Heading:
    """Headings that mean one section, in the singular, separated by commas.

    `section` None keeps the section in force. Inside a section of `inside` these headings divide
    that section and don't end it; inside one of `inside_if_quieter` so only when they are not in
    capitals where its own heading was.
    """

    section: str | None
    names: str
    inside: tuple[str, ...] = ()
    inside_if_quieter: tuple[str, ...] = ()


HEADINGS = (
    Heading(
        _SUBJECTIVE,
        "subjective, cc, chief complaint, chief concern, presenting complaint, presenting problem, "
        "presenting concern, reason for visit, reason for encounter, reason for consultation, "
        "reason for consult, reason for referral, reason for admission, "
        "hpi, hpi note, history of present illness, history of the present illness, "
        "history of presenting illness, history of presenting complaint, present illness, "
        "interval history, interim history, history, patient history, clinical history, "
        "ros, review of system, systems review, "
        "pmh, pmhx, past medical, past medical history, medical history, past history, "
        "psh, pshx, past surgical, past surgical history, surgical history, "
        "fh, fhx, family history, family medical history, past family history, "
        "sh, shx, social history, past social history, substance use history, sexual history, "
        "travel history, occupational history, psychiatric history, past psychiatric history, "
        "birth history, developmental history, ob/gyn history, obstetric history, "
        "gynecologic history, gynecological history, menstrual history, medication history",
    ),
    # Under a plan these say what is to be ordered, taken or avoided.
    Heading(
        _SUBJECTIVE,
        "med, medication, current med, current medication, home med, home medication, "
        "outpatient medication, active medication, medication list, current medication list, "
        "allergy, allergies, drug allergy, drug allergies, known allergies, food allergies, "
        "medication allergy, medication allergies, immunization, immunization history, vaccination",
        inside=(_PLAN,),
    ),
    # ACI-Bench's tagger has no word for these, so its vitals before an exam are subjective.
    Heading(None, "vital, vital sign, vitals reviewed, vital signs reviewed"),
    Heading(
        _EXAM,
        "objective, objective exam, objective examination, objective finding, objective data, "
        "physical exam, physical examination, physical finding, physical exam finding, "
        "physical examination finding, exam, examination, exam finding, examination finding, "
        "mental status exam, mental status examination",
    ),
    # Under a plan, a pulmonary embolism.
    Heading(_EXAM, "pe", inside=(_PLAN,)),
    Heading(_RESULTS, "result, objective result, pertinent result"),
    Heading(
        _RESULTS,
        "lab, lab result, lab data, lab test, lab value, lab finding, lab work, labs reviewed, "
        "laboratory, laboratory result, laboratory data, laboratory test, laboratory value, "
        "laboratory finding, laboratory study, laboratory studies, pertinent lab, recent lab, "
        "imaging, imaging result, imaging finding, imaging study, imaging studies, "
        "imaging reviewed, radiology, radiology result, x ray, ekg, ecg, electrocardiogram, "
        "diagnostic, diagnostic result, diagnostic test, diagnostic test result, diagnostic data, "
        "diagnostic imaging, diagnostic study, diagnostic studies, diagnostic finding, "
        "test result, study, studies, data, data reviewed, pathology",
        inside=(_PLAN,),
    ),
    Heading(_RESULTS, "finding", inside=(_EXAM, _PLAN)),
    Heading(
        _PLAN,
        "assessment, plan, a/p, assessment plan, clinical impression, clinical assessment, "
        "plan of care, care plan, treatment plan, management plan, medical decision making, mdm, "
        "medical decision making plan, summary plan, differential diagnosis, "
        "differential diagnoses, disposition, instruction, patient instruction, "
        "discharge instruction, follow up plan, follow up instruction, return precaution, "
        "recommendation",
    ),
    # Under results, the last line of a radiologist's report.
    Heading(_PLAN, "impression", inside_if_quieter=(_RESULTS,)),
    # Under results, a pathologist's diagnosis or the parts of a blood count.
    Heading(
        _PLAN,
        "diagnosis, diagnoses, differential, ddx",
        inside=(_SUBJECTIVE,),
        inside_if_quieter=(_RESULTS,),
    ),
    # Among the complaints and the history: why the patient came, or what was done before.
    Heading(
        _PLAN,
        "follow up, treatment, management, order, referral, counseling, patient education",
        inside=(_SUBJECTIVE,),
    ),
)
"""The headings that are known. Joined ones ("Labs/imaging", "Impression and plan") follow."""

LETTERS = dict(zip("SOAP", (_SUBJECTIVE, _EXAM, _PLAN, _PLAN), strict=True))
"""Headings of one letter: they count in this order, from "S:" on, where at least "O:" follows."""


class _Start(NamedTuple):
    offset: int
    section: str


class _Found(NamedTuple):
    """A heading in a note: where its line (or, amid a line, its name) starts, and its names."""

    offset: int
    names: str
    heading: Heading


def tag_sections(note: str) -> dict[str, str]:
    """The text of each section that `note` has, in the order of `SECTIONS`.

    Every character of the note is in exactly one section, whitespace included; a section that
    comes in several places is joined in the order of the note. A note without a known heading has
    no sections. Takes time proportional to the length of the note.
    """
    starts = _section_starts(note)
    if not starts:
        return {}
    if note[: starts[0].offset].strip():
        starts.insert(0, _Start(0, _SUBJECTIVE))
    starts[0] = starts[0]._replace(offset=0)
    offsets = [*(start.offset for start in starts), len(note)]
    paragraphs: dict[str, list[str]] = {section: [] for section in SECTIONS}
    for start, (begin, end) in zip(starts, pairwise(offsets), strict=True):
        paragraphs[start.section].append(note[begin:end])
    return {section: "".join(parts) for section, parts in paragraphs.items() if parts}


def _section_starts(note: str) -> list[_Start]:
    starts: list[_Start] = []
    in_force: str | None = None
    opened_in_capitals = False
    for offset, names, heading in _headings(note):
        section = heading.section or in_force or _EXAM
        quieter = opened_in_capitals and not names.isupper()
        divides = in_force in heading.inside or (quieter and in_force in heading.inside_if_quieter)
        if section != in_force and not divides:
            starts.append(_Start(offset, section))
            in_force, opened_in_capitals = section, names.isupper()
    return starts


def _headings(note: str) -> Iterator[_Found]:
    candidates = list(_HEADING.finditer(note))
    letters = _letters_in_order(candidates)
    for candidate in candidates:
        offset = candidate.start()
        if offset in letters:
            yield _Found(offset, candidate["letter"], letters[offset])
        elif candidate["names"] and _stands_as_heading(candidate, note):
            yield _Found(offset, candidate["names"], _meaning(candidate))


def _letters_in_order(candidates: list[re.Match[str]]) -> dict[int, Heading]:
    expected = list(LETTERS)
    found: dict[int, Heading] = {}
    for candidate in candidates:
        if expected and candidate["letter"] == expected[0]:
            letter = expected.pop(0)
            found[candidate.start()] = Heading(LETTERS[letter], letter)
    return found if len(found) > 1 else {}


def _meaning(candidate: re.Match[str]) -> Heading:
    """Of joined names, the one that says most: of "Impression and plan" the plan."""
    named = [_KNOWN[_key(name)] for name in candidate.group("first", "last") if name]
    return min(named, key=lambda it: (it.section is None, bool(it.inside or it.inside_if_quieter)))


def _stands_as_heading(candidate: re.Match[str], note: str) -> bool:
    """Whether the names are written as a heading, and not part of a list or a sentence."""
    names, has_colon = candidate["names"], candidate["colon"] is not None
    if candidate["amid"] is not None:
        return has_colon and (candidate["amid"] == "**" or names.isupper())
    marks = candidate["marks"].strip()
    if any(sign in marks for sign in ("#", "**", "__", "[", "==")):
        return True
    if marks or candidate["number"]:
        return has_colon or not (marks or names[0].islower())
    return not names[0].islower() or not _breaks_off(note, candidate.start())


def _breaks_off(note: str, offset: int) -> bool:
    """Whether the line before `offset` looks like text that goes on in the next."""
    before = note[max(0, offset - 80) : offset].splitlines()
    return bool(before) and len(before[-1]) > 50 and before[-1].rstrip()[-1:].isalnum()


_BREAKS = r"\n\r\v\f\x85\u2028\u2029"
_SPACE = r"[ \t\xa0\u2000-\u200b\u202f\u3000\ufeff]"
_COLON = r"[:\uff1a]"
_AND = rf"(?:{_SPACE}*[/&+,]{_SPACE}*(?:and{_SPACE}+)?|{_SPACE}+and{_SPACE}+)"


@lru_cache(maxsize=4096)
def _key(name: str) -> str:
    """What the spellings of one name share, however spaced, joined, cased or counted."""
    words = name.lower().replace("histories", "history").replace("hx", "history")
    return re.sub(r"\band\b|[^a-z]", "", words).removesuffix("s")


def _pattern(name: str) -> str:
    pattern = name.replace(" ", rf"(?:{_SPACE}|[-_]){{0,3}}").replace("/", _AND)
    plural = "" if name.endswith("s") else "s?"
    return pattern.replace("history", "(?:history|histories|hx)") + plural


def _pattern_of_any(names: Iterable[str]) -> str:
    """Long names first; told apart by their first letter, since most lines are no headings."""
    by_letter: dict[str, list[str]] = {}
    for name in sorted(names, key=len, reverse=True):
        by_letter.setdefault(name[0], []).append(_pattern(name))
    return "|".join(f"(?={letter})(?:{'|'.join(same)})" for letter, same in by_letter.items())


_NAMES = {name: heading for heading in HEADINGS for name in heading.names.split(", ")}
_KNOWN = {_key(name): heading for name, heading in _NAMES.items()}
_NAME = _pattern_of_any(_NAMES)
_HEADING = re.compile(
    rf"""
    (?:
        (?:\A|(?<=[{_BREAKS}]))                     # the start of a line, with its marks
        (?P<marks>(?:{_SPACE}|[-#*_>\[=+•·▪◦●○\u2013\u2014])*+)
        (?P<number>\(?(?:\d{{1,2}}|[ivxIVX]{{1,4}}|[A-Za-z])[.)]{_SPACE}*+[*_]*+)?
    |
        (?P<amid>                                   # or amid a line, loud: PLAN: or **Plan:**
            (?:(?<=[.:;!?)\]]\s)|(?<=\s\s))(?=[A-Z][A-Z/&])
        |   (?<=\s)\*\*
        )
    )
    (?=[A-Za-z])
    (?:
        (?P<names>(?ai:(?P<first>{_NAME})(?:{_AND}(?P<last>{_NAME})){{0,3}}))
        [*_\]]{{0,3}}(?:{_SPACE}{{0,3}}\([^(){_BREAKS}]{{0,60}}\))?[*_]{{0,3}}{_SPACE}{{0,3}}
        (?:
            (?P<colon>{_COLON})
        |   (?<=\s)[-\u2013\u2014](?=\s)
        |   (?:{_SPACE}|[#=_*-])*+(?=[{_BREAKS}]|\Z)
        )
    |
        (?P<letter>[SOAP])(?:{_SPACE}?\([^(){_BREAKS}]{{0,60}}\))?[*_]{{0,3}}{_COLON}
    )
    """,
    re.VERBOSE,
)
