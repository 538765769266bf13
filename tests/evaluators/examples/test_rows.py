"""The same table in every format gives the same examples, whatever its texts hold."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import SECTIONS, Example, load_inputs
from wardlens.evaluators.examples.rows import FORMATS, read_rows

Table = Sequence[Mapping[str, Any]]

TEXT_FIELDS = ["input", "reference", "output"] + [
    f"{text}_{section}" for text in ("reference", "output") for section in SECTIONS
]
CLAIM_FIELDS = [
    f"subclaims_{text}{ending}"
    for text in ("reference", "output")
    for ending in ("", *(f"_{section}" for section in SECTIONS))
]
AWKWARD = [
    "",
    " \t\r\n\x0b\x0c\x1c\x85\u2028\u2029",
    "\x00 between \x00",
    "ألم في الصدر \u202eRTL\u202c",
    "👩🏽‍⚕️ e\u0301 \ufeff \uffff \U0010ffff",
    'quotes " "" \' commas , ; and\r\nline ends\rof\nall kinds',
    "[1] {} \\ \\u0000 </script>",
]

texts = st.one_of(st.sampled_from(AWKWARD), st.text(max_size=40))
texts_with_surrogates = st.text(st.characters(exclude_categories=()), max_size=20)
ids = st.one_of(st.text(min_size=1, max_size=10), st.integers(-(10**18), 10**18))


@st.composite
def tables(draw: st.DrawFn, text: st.SearchStrategy[str] = texts) -> Table:
    """Rows that all have the same fields, with ids that differ."""
    fields: dict[str, st.SearchStrategy[Any]] = {
        name: text if name in TEXT_FIELDS else st.lists(text, max_size=3)
        for name in draw(st.sets(st.sampled_from(TEXT_FIELDS + CLAIM_FIELDS), max_size=6))
    }
    # Parquet columns have one type, so the ids of a table are all texts or all whole numbers.
    kind = draw(st.sampled_from([st.text(min_size=1, max_size=10), st.integers(-(2**62), 2**62)]))
    chosen = draw(st.lists(kind, min_size=1, max_size=4, unique=True))
    return [{"example_id": i, **{n: draw(s) for n, s in fields.items()}} for i in chosen]


def write_json(path: Path, table: Table) -> None:
    path.write_text(json.dumps(table), encoding="utf-8")


def write_jsonl(path: Path, table: Table) -> None:
    # Texts as they are, not escaped, as other tools write them.
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in table)
    path.write_bytes(lines.encode("utf-8"))


def write_csv(path: Path, table: Table) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table[0]), quoting=csv.QUOTE_ALL)
        writer.writeheader()
        for row in table:
            writer.writerow(
                {n: json.dumps(v) if isinstance(v, list) else v for n, v in row.items()}
            )


def write_parquet(path: Path, table: Table) -> None:
    names = dict.fromkeys(name for row in table for name in row)
    columns = {
        name: pa.array(
            [row.get(name) for row in table],
            pa.list_(pa.string()) if name in CLAIM_FIELDS else None,
        )
        for name in names
    }
    pq.write_table(pa.table(columns), path)


WRITERS: dict[str, Callable[[Path, Table], None]] = {
    ".json": write_json,
    ".jsonl": write_jsonl,
    ".csv": write_csv,
    ".parquet": write_parquet,
}


def load(path: Path) -> tuple[Example, ...]:
    return load_inputs([f"system={path}"]).systems["system"]


def expected_examples(table: Table) -> tuple[Example, ...]:
    """What FACTS says that the fields mean, written down a second time."""

    def text(row: Mapping[str, Any], name: str) -> SealedText | None:
        return SealedText(row[name]) if name in row else None

    def sections(row: Mapping[str, Any], name: str) -> dict[str, SealedText]:
        return {s: SealedText(row[f"{name}_{s}"]) for s in SECTIONS if f"{name}_{s}" in row}

    def claims(row: Mapping[str, Any], name: str) -> dict[str, tuple[SealedText, ...]]:
        named = {"full": name, **{s: f"{name}_{s}" for s in SECTIONS}}
        return {s: tuple(map(SealedText, row[n])) for s, n in named.items() if n in row}

    return tuple(
        Example(
            example_id=SealedText(str(row["example_id"])),
            row=number,
            input=text(row, "input"),
            reference=text(row, "reference"),
            output=text(row, "output"),
            reference_sections=sections(row, "reference"),
            output_sections=sections(row, "output"),
            reference_claims=claims(row, "subclaims_reference"),
            output_claims=claims(row, "subclaims_output"),
        )
        for number, row in enumerate(table, start=1)
    )


@pytest.mark.parametrize("ending", FORMATS)
@given(table=tables())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_any_table_is_read_as_it_was_written(
    ending: str, table: Table, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("table") / f"table{ending}"
    WRITERS[ending](path, table)

    assert load(path) == expected_examples(table)


@given(table=tables(texts_with_surrogates))
@settings(max_examples=40)
def test_lone_surrogates_in_json_escapes_stay(
    table: Table, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # json joins a high and a low surrogate that meet, so that is what is expected.
    joined = json.loads(json.dumps(table))
    path = tmp_path_factory.mktemp("table") / "table.json"
    write_json(path, table)

    assert load(path) == expected_examples(joined)


def test_lone_surrogates_in_the_claims_of_a_csv_cell_stay(tmp_path: Path) -> None:
    table = [{"example_id": "a", "subclaims_output": ["\ud83d", "x \udc00"]}]
    write_csv(tmp_path / "table.csv", table)

    assert load(tmp_path / "table.csv") == expected_examples(table)


@pytest.mark.parametrize("ending", FORMATS)
def test_a_claim_of_a_megabyte_is_read_whole(ending: str, tmp_path: Path) -> None:
    table = [{"example_id": "a", "output": "o" * 2**20, "subclaims_reference": ["é " * 2**19]}]
    WRITERS[ending](tmp_path / f"table{ending}", table)

    assert load(tmp_path / f"table{ending}") == expected_examples(table)


@pytest.mark.parametrize("ending", FORMATS)
def test_the_ending_counts_in_capitals_too(ending: str, tmp_path: Path) -> None:
    WRITERS[ending](tmp_path / f"TABLE{ending.upper()}", [{"example_id": "a", "output": "o"}])

    assert len(read_rows(tmp_path / f"TABLE{ending.upper()}")) == 1


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".csv"])
def test_a_byte_order_mark_is_no_part_of_the_text(ending: str, tmp_path: Path) -> None:
    table = [{"example_id": "a", "output": "o"}]
    path = tmp_path / f"table{ending}"
    WRITERS[ending](path, table)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    assert load(path) == expected_examples(table)


def test_fields_that_a_json_row_lacks_were_not_given(tmp_path: Path) -> None:
    table = [{"example_id": "a", "output": "o"}, {"example_id": "b", "reference": "r"}]
    write_json(tmp_path / "table.json", table)

    assert load(tmp_path / "table.json") == expected_examples(table)


def test_a_null_in_parquet_was_not_given(tmp_path: Path) -> None:
    table = [
        {"example_id": "a", "output": "o", "subclaims_output": ["c"]},
        {"example_id": "b", "reference": "r", "subclaims_reference": []},
    ]
    write_parquet(tmp_path / "table.parquet", table)

    assert load(tmp_path / "table.parquet") == expected_examples(table)


def test_an_empty_claims_cell_in_csv_was_not_given(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(
        "example_id,subclaims_reference,subclaims_reference_subjective\n"
        'a,,"[""The patient coughs.""]"\n'
    )

    assert load(tmp_path / "table.csv") == expected_examples(
        [{"example_id": "a", "subclaims_reference_subjective": ["The patient coughs."]}]
    )


def test_blank_lines_in_jsonl_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "table.jsonl").write_bytes(b'\r\n{"example_id": "a"}\r\n\n  \n{"example_id": 2}')

    assert load(tmp_path / "table.jsonl") == expected_examples(
        [{"example_id": "a"}, {"example_id": 2}]
    )


@pytest.mark.parametrize("ending", FORMATS)
def test_unknown_fields_are_ignored(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"table{ending}"
    WRITERS[ending](path, [{"example_id": "a", "dataset": "invented", "fold": 3}])

    assert load(path) == expected_examples([{"example_id": "a"}])


def test_large_and_dictionary_strings_of_parquet_are_text(tmp_path: Path) -> None:
    columns = {
        "example_id": pa.array(["a"]).dictionary_encode(),
        "output": pa.array(["o"], pa.large_string()),
        "subclaims_output": pa.array([["c"]], pa.large_list(pa.large_string())),
    }
    pq.write_table(pa.table(columns), tmp_path / "table.parquet")

    assert load(tmp_path / "table.parquet") == expected_examples(
        [{"example_id": "a", "output": "o", "subclaims_output": ["c"]}]
    )


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".csv"])
def test_bytes_that_are_not_utf8_are_named_by_their_place_in_the_file(
    ending: str, tmp_path: Path
) -> None:
    path = tmp_path / f"table{ending}"
    WRITERS[ending](path, [{"example_id": "a", "output": "o" * 20_000}])
    content = path.read_bytes()
    at = content.rindex(b"o")
    path.write_bytes(content[:at] + b"\xe9" + content[at + 1 :])

    with pytest.raises(UserError, match=rf"not UTF-8 at byte {at}\b"):
        read_rows(path)


def test_a_parquet_column_that_is_not_needed_may_have_any_type(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    odd = pa.array([1_500_000_001], type=pa.duration("ns"))
    pq.write_table(pa.table({"example_id": ["a"], "took": odd}), path)

    (row,) = read_rows(path)

    assert row["example_id"] == "a"


@pytest.mark.parametrize("header", ["example_id,output,output", "example_id;output"])
def test_a_csv_header_that_can_not_be_meant_is_refused(tmp_path: Path, header: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"{header}\n1,a,b\n" if "," in header else f"{header}\n1;a\n")

    with pytest.raises(UserError, match=r"same name|by commas"):
        read_rows(path)
