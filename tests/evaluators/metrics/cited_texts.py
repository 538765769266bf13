"""Invented inputs and cited outputs, known by how they were put together and not by parsing."""

from dataclasses import dataclass

from hypothesis import strategies as st

FINDINGS = ("cough", "fever", "pain", "rash", "nausea")
"""Of these words statements and sentences differ."""
_STATEMENT = "The patient has {}"


@dataclass(frozen=True)
class Marker:
    """A citation of one sentence (`last` None) or of a range, and how it is written."""

    first: int
    last: int | None
    separator: str

    @property
    def text(self) -> str:
        return f"{self.first}" if self.last is None else f"{self.first}{self.separator}{self.last}"

    @property
    def numbers(self) -> tuple[int, int]:
        return (self.first, self.first if self.last is None else self.last)


@dataclass(frozen=True)
class Cited:
    """A statement with its citations; `joints` stand between them and open or share brackets."""

    words: tuple[str, ...]
    markers: tuple[Marker, ...]
    joints: tuple[str, ...]
    ending: str

    @property
    def statement(self) -> str:
        """As it is written, without citations."""
        return _STATEMENT.format(" and ".join(self.words)) + "."

    @property
    def text(self) -> str:
        brackets = ""
        for marker, joint in zip(self.markers, self.joints, strict=True):
            brackets += (joint if brackets else "") + marker.text
        citations = f"[{brackets}]" if brackets else ""
        return self.ending.format(body=self.statement[:-1], citations=citations)


@dataclass(frozen=True)
class CitedOutput:
    """An input's sentences, numbered from 0, and the statements of an output."""

    sentences: tuple[str, ...]
    statements: tuple[Cited, ...]
    joint: str

    @property
    def source(self) -> str:
        return "\n".join(f"[{n}] {sentence}" for n, sentence in enumerate(self.sentences))

    @property
    def output(self) -> str:
        return self.joint.join(statement.text for statement in self.statements)


_IN_ONE_BRACKET = (", ", ",", "; ")
_JOINTS = ("][", "] [", *_IN_ONE_BRACKET)
_ENDINGS = (
    "{body} {citations}.",
    "{body}{citations}.",
    "{body}. {citations}",
    "{body}.{citations}",
)


def _words(least: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(FINDINGS), min_size=least, max_size=4, unique=True).map(tuple)


def markers(highest: int) -> st.SearchStrategy[Marker]:
    """Numbers and ranges up to `highest`; a range has two different ends, in any order."""
    number = st.integers(0, highest)
    separators = st.sampled_from(["-", "\u2013", " - "])
    return st.one_of(
        st.builds(Marker, number, st.none(), st.just("")),
        st.builds(Marker, number, number, separators).filter(lambda m: m.first != m.last),
    )


@st.composite
def statements(draw: st.DrawFn, highest: int) -> Cited:
    """A statement with up to five citations in all the forms there are."""
    listed = tuple(draw(st.lists(markers(highest), max_size=5)))
    joints = tuple(draw(st.sampled_from(_JOINTS)) for _ in listed)
    ending = draw(st.sampled_from(_ENDINGS)) if listed else "{body}."
    return Cited(draw(_words(1)), listed, joints, ending)


@st.composite
def cited_outputs(draw: st.DrawFn, *, least: int = 0, beyond: int = 2) -> CitedOutput:
    """Up to six input sentences (`least` at least) and up to four statements.

    Citations reach `beyond` the last sentence by so many numbers.
    """
    drawn = draw(st.lists(_words(0), min_size=least, max_size=6))
    sentences = tuple(" ".join(words) for words in drawn)
    highest = len(sentences) - 1 + beyond
    listed = tuple(draw(st.lists(statements(highest), min_size=bool(least), max_size=4)))
    return CitedOutput(sentences, listed, draw(st.sampled_from([" ", "\n", "\n\n"])))
