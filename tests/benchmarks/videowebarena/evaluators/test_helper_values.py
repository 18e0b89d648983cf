"""What helpers make of facts; facts as a page with those of the reference cases gives them."""

import pytest

from cutscore.benchmarks.videowebarena.evaluators.helper_calls import HELPERS, parse_call
from cutscore.benchmarks.videowebarena.evaluators.helper_values import helper_value, post_url

ORDERS = [
    {"name": "Bar\nSize\n12 Count", "sku": "B00A ", "quantity": "Ordered2", "options": {"Size": "12 Count"}},
    {"name": "Cup", "sku": "C1", "quantity": "Ordered 11", "options": {}},
]
PRODUCT = {
    "price": "$1,234.56",
    "reviews": "Reviews 12",
    "attributes": [["Item Weight", "2 lb"], ["Brand Name", "Acme"], ["Batteries weight", "9"]],
}
COMMENTS = {
    "post": {"author": "op"},
    "comments": [
        {"author": "ann", "time": "2023-01-01T00:00:00+00:00", "content": "first", "parent": None},
        {"author": "me", "time": "2023-01-02T00:00:00+00:00", "content": "old reply", "parent": 0},
        {"author": "bob", "time": "2023-01-03T00:00:00+00:00", "content": "second", "parent": None},
        {"author": "me", "time": "2023-02-02T00:00:00+00:00", "content": "new reply", "parent": 2},
    ],
}
MEMBERS = [{"account": "@annie", "role": "Guest"}, {"account": "@ann", "role": "Owner"}]
REVIEWS = [
    {"nickname": "a", "detail": "old", "ratings": [{"rating_name": "Rating", "percent": 20}]},
    {"nickname": "b", "detail": "new", "ratings": [{"rating_name": "Rating", "percent": 80}]},
]


@pytest.mark.parametrize(
    ("call", "facts", "value"),
    [
        ("shopping_get_order_product_name_list(__page__)", ORDERS, "Bar\nSize\n12 Count |OR| Cup"),
        ("shopping_get_order_product_quantity(__page__,'ZZ |OR| C1')", ORDERS, 11),
        ("shopping_get_order_product_quantity(__page__,'B00A')", ORDERS, 2),
        ("shopping_get_order_product_quantity(__page__,'C')", ORDERS, 0),
        ("shopping_get_order_product_option(__page__,'B00A','Size')", ORDERS, "12 Count"),
        ("shopping_get_order_product_option(__page__,'B00A','Color')", ORDERS, ""),
        ("shopping_get_num_reviews(__page__)", PRODUCT, 12),
        ("shopping_get_product_attributes(__page__,'weight')", PRODUCT, "2 lb, 9"),
        ("shopping_get_product_attributes(__page__,'manufacturer |OR| brand name')", PRODUCT, "Acme"),
        ("shopping_get_product_price(__page__)", PRODUCT, 1),
        ("shopping_get_product_price(__page__)", {"price": "$59.99"}, 59.99),
        ("reddit_get_latest_comment_content_by_username(__page__,'me')", COMMENTS, "new reply"),
        ("reddit_get_parent_comment_username_of_latest_comment_by_username(__page__,'me')", COMMENTS, "bob"),
        ("reddit_get_parent_comment_username_of_latest_comment_by_username(__page__,'ann')", COMMENTS, "op"),
        ("gitlab_get_project_memeber_role(__page__,'ann')", MEMBERS, "Owner"),
        ("get_query_text(__page__,'#h')", {"text": "Hello  World"}, "Hello  World"),
        ("shopping_get_sku_latest_review_author('B1')", REVIEWS, "b"),
        ("shopping_get_sku_latest_review_text('B1')", REVIEWS, "new"),
        ("shopping_get_sku_latest_review_rating('B1')", REVIEWS, "80"),
        (
            "shopping_get_latest_order_url()",
            {"shop": "http://s:7770", "orders": {"items": [{"increment_id": "000000170"}]}},
            "http://s:7770/sales/order/view/order_id/170/",
        ),
    ],
)
def test_gives_the_value_of_the_reference(call, facts, value):
    assert helper_value(parse_call(call), facts) == value


@pytest.mark.parametrize("facts", [None, [], {}, "text", 7, [None], [[]], {"comments": [{"parent": 0, "author": "x"}]}])
@pytest.mark.parametrize("name", [name for name, helper in HELPERS.items() if helper.source != "address"])
def test_a_page_of_another_shape_is_what_a_page_error_is(name, facts):
    texts = [f"'{kind[0]}'" for kind in HELPERS[name].takes if kind == "text"]
    pages = ["__page__" for kind in HELPERS[name].takes if kind == "page"]
    assert helper_value(parse_call(f"{name}({', '.join(pages + texts)})"), facts) in ("", 0)


@pytest.mark.parametrize("order", [None, "", "ABC-1", "1" * 5000, 1.5, ["1"]])
def test_an_order_without_a_number_has_no_address(order):
    facts = {"shop": "http://s", "orders": {"items": [{"increment_id": order}]}}
    assert helper_value(parse_call("shopping_get_latest_order_url()"), facts) == ""


def test_comments_whose_parents_go_round_end():
    rows = [{"author": "a", "parent": 1}, {"author": "b", "parent": 0}]
    call = parse_call("reddit_get_parent_comment_username_of_latest_comment_by_username(__page__,'x')")
    assert helper_value(call, {"comments": rows}) == ""


def test_post_urls_of_the_reference_cases(reference_cases):
    for case in reference_cases["reddit_post_url"]:
        assert post_url(case["input"]["url"]) == case["expected"], case["id"]
