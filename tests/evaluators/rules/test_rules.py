"""The two presets, switch by switch."""

import pytest

from wardlens.engine.errors import UserError
from wardlens.evaluators.rules import Rules, choose_rules


def test_paper_rules_average_over_texts_and_leave_gaps_in_the_data_unscored() -> None:
    assert choose_rules("paper") == Rules(
        name="paper",
        citation_forms="lists_and_ranges",
        premise_words=None,
        empty_text="blank",
        dataset_score="macro",
        empty_output="not_entailed",
        empty_reference="unscored",
        empty_claim="unscored",
        empty_denominator="undefined",
        splitter="clinical",
        single_piece="statement",
        bare_pieces="left_out",
        uncited="fails",
        dangling="wrong_citation",
        most_citations=None,
        citation_order="text",
        joint_separator=" ",
        rest_separator=" ",
        item_numbers="kept",
    )


def test_released_rules_pool_claims_and_score_every_one() -> None:
    assert choose_rules("released") == Rules(
        name="released",
        citation_forms="first_number",
        premise_words=500,
        empty_text="no_characters",
        dataset_score="micro",
        empty_output="not_entailed",
        empty_reference="not_entailed",
        empty_claim="ask",
        empty_denominator="zero",
        splitter="released",
        single_piece="uncited",
        bare_pieces="statements",
        uncited="borrow",
        dangling="statement_fails",
        most_citations=10,
        citation_order="set",
        joint_separator=" ",
        rest_separator="\n",
        item_numbers="dropped",
    )


@pytest.mark.parametrize("name", ["", "Paper", "script"])
def test_unknown_rules_are_refused_with_the_allowed_ones(name: str) -> None:
    with pytest.raises(UserError, match=r"unknown rules .*Allowed: paper, released"):
        choose_rules(name)
