"""From a cited output to statements, each with the input sentences that it cites."""

from dataclasses import dataclass

from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples.example import SECTIONS, WHOLE, Example
from wardlens.evaluators.metrics.conventions import Conventions
from wardlens.evaluators.rules.rules import CitationOrder, Rules
from wardlens.evaluators.text.citations import GRAMMARS, CitedRange, numbered_sentences
from wardlens.evaluators.text.splitting import is_heading, split_statements

_MOST_CITED = 1000
"""A statement that cites more sentences than this cites none of the rest."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of an output.

    `text` is without citation markers; `cited` are the numbers of the input sentences that it
    cites and that exist, in the order in which they are judged; `n_dangling` counts citations of
    sentences that don't exist.
    """

    text: SealedText
    cited: tuple[int, ...]
    n_dangling: int


@dataclass(frozen=True, slots=True)
class CitedText:
    """The statements of one section of an output, and the numbered sentences of its input."""

    section: str
    statements: tuple[Statement, ...]
    sentences: dict[int, str]


def cited_texts(example: Example, conventions: Conventions) -> list[CitedText]:
    """The statements of each section of the output, or of the whole where it has no sections."""
    source = example.input.reveal() if example.input is not None else ""
    in_sequence = conventions.rules.citation_forms == "lists_and_ranges"
    sentences = numbered_sentences(source, in_sequence=in_sequence)
    if example.output_sections:
        texts = {s: example.output_sections[s] for s in SECTIONS if s in example.output_sections}
    else:
        texts = {} if example.output is None else {WHOLE: example.output}
    return [
        CitedText(section, _statements(text.reveal(), sentences, conventions), sentences)
        for section, text in texts.items()
    ]


def _statements(
    output: str, sentences: dict[int, str], conventions: Conventions
) -> tuple[Statement, ...]:
    rules = conventions.rules
    grammar = GRAMMARS[rules.citation_forms]
    if not output:
        return ()
    pieces = split_statements(output, conventions.split, rules.splitter)
    if rules.single_piece == "uncited" and conventions.split == "citation" and len(pieces) == 1:
        return (Statement(SealedText(""), (), 0),)
    resolve = _Resolver(sentences, max(sentences, default=-1), rules).resolve
    cited = [grammar.find(piece) for piece in pieces]
    statements = []
    for piece, found, next_found in zip(pieces, cited, _found_next(cited), strict=True):
        text = grammar.remove(piece)
        text = text if rules.bare_pieces == "statements" else text.strip()
        if rules.bare_pieces == "left_out" and _is_bare(text, found):
            continue
        own = _unique(found, rules.citation_order)
        if not own and rules.uncited == "borrow":
            own = next_found
        statements.append(resolve(SealedText(text), own))
    return tuple(statements)


def _found_next(cited: list[list[CitedRange]]) -> list[list[CitedRange]]:
    """For each piece the citations of the next one that has any."""
    following: list[list[CitedRange]] = []
    upcoming: list[CitedRange] = []
    for own in reversed(cited):
        following.append(upcoming)
        upcoming = own or upcoming
    return following[::-1]


@dataclass(frozen=True, slots=True)
class _Resolver:
    """Tells citations of sentences that exist from those that dangle."""

    sentences: dict[int, str]
    highest: int
    rules: Rules

    def resolve(self, text: SealedText, numbers: list[CitedRange]) -> Statement:
        """The statement `text` with the citations that `numbers` come to."""
        if self.rules.dangling == "statement_fails":
            return self._resolve_all_or_none(text, numbers)
        cited: dict[int, None] = {}
        n_dangling = 0
        places = _MOST_CITED
        for first, last in numbers:
            end = min(last, self.highest, first + places - 1)
            inside = [n for n in range(first, end + 1) if n in self.sentences]
            cited.update(dict.fromkeys(inside))
            places -= len(inside)
            # However far a range reaches beyond the input, that is one citation of nothing.
            n_dangling += len(inside) < last - first + 1 or last < first
        return Statement(text, tuple(cited), n_dangling)

    def _resolve_all_or_none(self, text: SealedText, numbers: list[CitedRange]) -> Statement:
        # The scripts look at how many sentences there are, not at their numbers.
        exist = [n in self.sentences and n < len(self.sentences) for n, _ in numbers]
        if not all(exist):
            return Statement(text, (), len(numbers))
        return Statement(text, tuple(n for n, _ in numbers[: self.rules.most_citations]), 0)


def _unique(cited: list[CitedRange], order: CitationOrder) -> list[CitedRange]:
    if order == "set":
        # The scripts put single numbers through a Python set, and its order shows in the premise.
        return [CitedRange(number, number) for number in {first for first, _ in cited}]
    return list(dict.fromkeys(cited))


def _is_bare(text: str, cited: list[CitedRange]) -> bool:
    """Whether a piece states nothing: no word at all, or a heading without a citation."""
    return not any(c.isalnum() for c in text) or (not cited and is_heading(text))
