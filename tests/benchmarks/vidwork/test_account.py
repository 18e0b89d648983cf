"""What somebody who only listened makes of a text: which step it is, why it was done, and what came first."""

from cutscore.benchmarks.vidwork.account import Account
from cutscore.benchmarks.vidwork.words import content_words


def test_a_text_is_found_by_its_words(account: Account) -> None:
    found = account.find("Cracking three eggs in a bowl")
    assert found is not None
    assert found.at_s == 4
    assert account.find("Peel the carrot") is None
    assert Account((), content_words).find("Crack 3 eggs") is None


def test_the_reason_is_what_was_said_right_after(account: Account) -> None:
    assert account.reason("Crack 3 eggs into the bowl") == "Eggs hold it together"
    assert account.reason("Turn on the oven") is None
    assert account.reason("Peel the carrot") is None


def test_told_steps_are_in_the_order_in_which_they_were_told(account: Account) -> None:
    eggs, pan = "Crack 3 eggs into the bowl", "Pour the batter into the pan"
    assert account.is_before(eggs, pan) is True
    assert account.is_before(pan, eggs) is False
    assert account.is_before(eggs, eggs) is None


def test_an_untold_step_lies_where_there_is_more_room(account: Account) -> None:
    """One gap lies before the oven and one after it; both gaps lie after the eggs."""
    assert account.is_before("Crack 3 eggs into the bowl", "Peel the carrot") is True
    assert account.is_before("Peel the carrot", "Crack 3 eggs into the bowl") is False
    assert account.is_before("Turn on the oven", "Peel the carrot") is None
    assert account.is_before("Grate the cheese", "Peel the carrot") is None
    assert account.when("Peel the carrot") == 8
    assert account.when("Turn on the oven") == 20


def test_what_needs_a_step_comes_later_and_shares_a_word(account: Account) -> None:
    blocked = account.blocked_without("Whisk the batter with the fork")
    assert blocked is not None
    assert blocked.text == "Pour the batter into the pan"
    nearest = account.blocked_without("Crack 3 eggs into the bowl")
    assert nearest is not None
    assert nearest.text == "Whisk the batter with the fork"
    assert account.blocked_without("Peel the carrot") is None
