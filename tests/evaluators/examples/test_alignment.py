"""Claims joined to the wrong examples are found by their words."""

import json
import math
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from wardlens.engine.models.overlap import words
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import Example, load_inputs
from wardlens.evaluators.examples.alignment import MisalignedClaimsError, find_misaligned

MARGIN = 0.2

ACI_CLAIMS = Path("data/aci_bench/test1.claims.json")
ACI_MISALIGNED = Path("data/aci_bench/test1.claims.misaligned.json")
ACI_NOTES = Path("data/aci_bench/test1.gpt4_notes.json")
ACI_MAP = Path("cases/doclens/aci_claims_misalignment_map.json")


def example(number: int, *, reference: str | None = None, claims: Sequence[str] = ()) -> Example:
    return Example(
        example_id=SealedText(f"id-{number}"),
        row=number + 1,
        reference=None if reference is None else SealedText(reference),
        reference_claims={"full": tuple(map(SealedText, claims))},
    )


def likely(claim_rows: Sequence[Example], examples: Sequence[Example]) -> dict[str, str]:
    """Which id each misaligned row should rather have."""
    found = find_misaligned(claim_rows, examples)
    return {m.example_id.reveal(): m.likely_id.reveal() for m in found}


def closeness(
    claims: frozenset[str], reference: frozenset[str], all_references: list[frozenset[str]]
) -> float:
    """Share of the claims' words that the reference has, a word weighing by its rarity."""

    def weight(word: str) -> float:
        frequency = sum(word in other for other in all_references)
        return math.log(1 + len(all_references) / max(frequency, 1))

    return sum(map(weight, claims & reference)) / sum(map(weight, claims))


bags = st.lists(st.sets(st.sampled_from("abcdefghij"), max_size=6), min_size=2, max_size=5)


@given(references=bags, claims=bags)
def test_a_row_is_misaligned_if_another_reference_is_plainly_closer(
    references: list[set[str]], claims: list[set[str]]
) -> None:
    examples = [example(i, reference=" ".join(bag)) for i, bag in enumerate(references)]
    rows = [example(i, claims=sorted(bag)) for i, bag in enumerate(claims)]
    known = [words(" ".join(bag)) for bag in references]

    expected = set()
    for i, bag in enumerate(map(frozenset, claims[: len(known)])):
        if bag and known[i]:
            values = [closeness(bag, reference, known) for reference in known]
            # The margin itself may fall either way, by rounding.
            assume(abs(max(values) - values[i] - MARGIN) > 1e-9)
            if max(values) - values[i] > MARGIN:
                expected.add(f"id-{i}")

    found = find_misaligned(rows, examples)

    assert {m.example_id.reveal() for m in found} == expected
    for m in found:
        bag = frozenset(claims[m.row - 1])
        values = [closeness(bag, reference, known) for reference in known]
        assert values[m.likely_row - 1] == pytest.approx(max(values))


@given(order=st.permutations(range(6)), seed=st.integers(0, 2**32))
def test_a_permutation_of_the_claims_is_told_exactly(order: list[int], seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - makes test data
    common = ["the", "patient", "has", "no", "pain"]
    own = [[f"w{i}x{j}" for j in range(8)] for i in range(6)]
    examples = [example(i, reference=" ".join(common + own[i])) for i in range(6)]
    rows = [
        example(i, claims=[" ".join(common), " ".join(chance.sample(own[order[i]], 5))])
        for i in range(6)
    ]

    assert likely(rows, examples) == {
        f"id-{i}": f"id-{order[i]}" for i in range(6) if order[i] != i
    }


@given(data=st.data(), references=bags)
def test_the_order_of_rows_does_not_matter(data: st.DataObject, references: list[set[str]]) -> None:
    # Different words in each, so that no two references are equally close.
    texts = [f"{' '.join(sorted(bag))} only{i}" for i, bag in enumerate(references)]
    examples = [example(i, reference=text) for i, text in enumerate(texts)]
    rows = [example(i, claims=[texts[i - 1]]) for i in range(len(texts))]

    before = likely(rows, examples)
    after = likely(data.draw(st.permutations(rows)), data.draw(st.permutations(examples)))

    assert before == after


def test_a_row_whose_claims_fit_several_equal_references_stays() -> None:
    examples = [example(i, reference="twice the same visit") for i in range(3)]

    assert likely([example(1, claims=["the same visit"])], examples) == {}


@pytest.mark.parametrize("reference", [None, "", "!?"])
def test_without_a_reference_of_its_own_a_row_is_not_judged(reference: str | None) -> None:
    examples = [example(0, reference=reference), example(1, reference="cough and fever")]

    assert likely([example(0, claims=["cough and fever"])], examples) == {}


@pytest.mark.parametrize("claims", [[], [""], ["..."]])
def test_a_row_whose_claims_have_no_words_is_not_judged(claims: list[str]) -> None:
    examples = [example(0, reference="cough"), example(1, reference="fever")]

    assert likely([example(0, claims=claims)], examples) == {}


def test_where_inputs_have_no_reference_that_of_the_claims_file_counts(tmp_path: Path) -> None:
    notes = [{"example_id": n, "output": "o"} for n in "ab"]
    claims = [
        {
            "example_id": "a",
            "reference": "cough since friday",
            "subclaims_reference": ["knee pain"],
        },
        {
            "example_id": "b",
            "reference": "knee pain",
            "subclaims_reference": ["cough since friday"],
        },
    ]
    (tmp_path / "n.json").write_text(json.dumps(notes))
    (tmp_path / "c.json").write_text(json.dumps(claims))

    with pytest.raises(MisalignedClaimsError, match="row 1 fits the example in row 2"):
        load_inputs([str(tmp_path / "n.json")], claims=tmp_path / "c.json")


def test_the_published_claims_file_is_refused_and_all_forty_rows_are_told(shared: Path) -> None:
    expected = json.loads((shared / ACI_MAP).read_text())["map"]

    with pytest.raises(MisalignedClaimsError) as refused:
        load_inputs([str(shared / ACI_NOTES)], claims=shared / ACI_MISALIGNED)

    found = {m.example_id.reveal(): m.likely_id.reveal() for m in refused.value.found}
    assert found == expected
    assert len(found) == 40


def test_the_realigned_claims_file_passes(shared: Path) -> None:
    assert load_inputs([str(shared / ACI_NOTES)], claims=shared / ACI_CLAIMS).claims_source


@pytest.mark.parametrize("seed", range(5))
def test_a_few_swapped_rows_of_a_real_file_are_found(
    seed: int, shared: Path, tmp_path: Path
) -> None:
    rows = json.loads((shared / ACI_CLAIMS).read_text())
    chance = random.Random(seed)  # noqa: S311 - makes test data
    first, second = chance.sample(range(len(rows)), 2)
    a, b = rows[first]["example_id"], rows[second]["example_id"]
    rows[first]["example_id"], rows[second]["example_id"] = b, a
    chance.shuffle(rows)
    # The references come from the notes file alone: the main reference is in both.
    for row in rows:
        del row["reference"]
    (tmp_path / "claims.json").write_text(json.dumps(rows))

    with pytest.raises(MisalignedClaimsError) as refused:
        load_inputs([str(shared / ACI_NOTES)], claims=tmp_path / "claims.json")

    found = {m.example_id.reveal(): m.likely_id.reveal() for m in refused.value.found}
    assert found == {a: b, b: a}


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_real_rows_does_not_matter(seed: int, shared: Path, tmp_path: Path) -> None:
    chance = random.Random(seed)  # noqa: S311 - makes test data
    for source, name in ((ACI_MISALIGNED, "claims.json"), (ACI_NOTES, "notes.json")):
        rows = json.loads((shared / source).read_text())
        chance.shuffle(rows)
        (tmp_path / name).write_text(json.dumps(rows))

    with pytest.raises(MisalignedClaimsError) as refused:
        load_inputs([str(tmp_path / "notes.json")], claims=tmp_path / "claims.json")

    found = {m.example_id.reveal(): m.likely_id.reveal() for m in refused.value.found}
    assert found == json.loads((shared / ACI_MAP).read_text())["map"]
