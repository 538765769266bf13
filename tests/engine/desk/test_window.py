"""The window of open questions."""

from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.questions import entailment, ledger_key
from wardlens.engine.desk.window import Window
from wardlens.engine.ledger import LedgerKey
from wardlens.engine.requests import Request


def question(document: int, number: int) -> tuple[LedgerKey, Request]:
    return ledger_key(document, number), entailment(str(document), str(number))


def take_all(window: Window, limit: int) -> list[list[tuple[LedgerKey, Request]]]:
    blocks = []
    while window:
        blocks.append(window.take(limit))
    return blocks


def filled(*questions: tuple[int, int]) -> Window:
    window = Window()
    for document, number in questions:
        window.add(*question(document, number))
    return window


def test_a_block_holds_questions_about_one_document_in_the_order_asked() -> None:
    window = filled((1, 1), (2, 2), (1, 3), (2, 4), (1, 5))
    assert take_all(window, 10) == [
        [question(1, 1), question(1, 3), question(1, 5)],
        [question(2, 2), question(2, 4)],
    ]


def test_a_block_is_never_longer_than_asked_for() -> None:
    window = filled((1, 1), (1, 2), (1, 3), (2, 4))
    assert take_all(window, 2) == [
        [question(1, 1), question(1, 2)],
        [question(1, 3)],
        [question(2, 4)],
    ]


def test_what_comes_late_about_the_first_document_still_goes_first() -> None:
    window = filled((1, 1), (1, 2), (2, 3))
    assert window.take(1) == [question(1, 1)]
    window.add(*question(1, 4))
    assert take_all(window, 10) == [[question(1, 2), question(1, 4)], [question(2, 3)]]


def test_a_document_that_comes_back_after_its_last_question_waits_its_turn() -> None:
    window = filled((1, 1), (2, 2))
    window.take(1)
    window.add(*question(1, 3))
    assert take_all(window, 10) == [[question(2, 2)], [question(1, 3)]]


def test_an_empty_window_gives_an_empty_block() -> None:
    window = filled((1, 1))
    window.take(1)
    assert window.take(5) == []
    assert len(window) == 0


@given(
    st.lists(
        st.one_of(st.integers(1, 4), st.integers(-4, -1)),
        max_size=30,
    )
)
def test_behaves_as_a_list_of_queues(steps: list[int]) -> None:
    """Positive steps ask about that document, negative ones take blocks of that length."""
    window = Window()
    queues: list[tuple[int, deque[int]]] = []
    for number, step in enumerate(steps):
        if step > 0:
            window.add(*question(step, number))
            queue = next((q for document, q in queues if document == step), None)
            if queue is None:
                queue = deque()
                queues.append((step, queue))
            queue.append(number)
        else:
            expected = []
            if queues:
                document, queue = queues[0]
                count = min(-step, len(queue))
                expected = [question(document, queue.popleft()) for _ in range(count)]
                if not queue:
                    queues.pop(0)
            assert window.take(-step) == expected
        assert len(window) == sum(len(queue) for _, queue in queues)
