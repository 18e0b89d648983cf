"""The shop: its addresses."""

from pathlib import Path

from cutscore.benchmarks.videowebarena.websites.shop import (
    account_pages,
    address_pages,
    cart_pages,
    catalogue_pages,
    checkout_pages,
    content_pages,
    order_pages,
    product_pages,
    rest,
    wish_pages,
)
from cutscore.benchmarks.videowebarena.websites.shop.database import DATABASE
from cutscore.benchmarks.videowebarena.websites.shop.seeding import CUSTOMER, CUSTOMER_PASSWORD
from cutscore.benchmarks.videowebarena.websites.website import Address, Handler, Website, form, page


def _pages(path: str, handler: Handler) -> tuple[Address, Address]:
    """Return an address with and without its last slash: tasks write both."""
    return page(path, handler), page(f"{path}/", handler)


SITE = Website(
    name="shopping",
    title="One Stop Market",
    host="shop.localhost",
    folder=Path(__file__).parent,
    database=DATABASE,
    account=CUSTOMER,
    password=CUSTOMER_PASSWORD,
    login_path="/customer/account/login/",
    mounts=dict.fromkeys(("/rest/V1/integration", "/rest/default/V1/integration"), rest.token_application),
    addresses=(
        page("/", catalogue_pages.show_home),
        *_pages("/catalogsearch/result", catalogue_pages.search),
        *_pages("/catalogsearch/result/index", catalogue_pages.search),
        *_pages("/catalogsearch/advanced", catalogue_pages.show_advanced_search),
        *_pages("/catalogsearch/advanced/result", catalogue_pages.search_advanced),
        page("/media/catalog/product/{product:int}.png", product_pages.show_picture),
        form("/review/product/post/id/{product:int}/", product_pages.write_review),
        *_pages("/review/customer", product_pages.show_own_reviews),
        *_pages("/catalog/product_compare", product_pages.show_comparison),
        form("/catalog/product_compare/add/", product_pages.add_to_comparison),
        form("/catalog/product_compare/remove/", product_pages.remove_from_comparison),
        *_pages("/checkout/cart", cart_pages.show_cart),
        form("/checkout/cart/add/", cart_pages.add_to_cart),
        form("/checkout/cart/updatePost/", cart_pages.change_cart),
        form("/checkout/cart/delete/", cart_pages.remove_from_cart),
        form("/checkout/cart/couponPost/", cart_pages.take_coupon),
        *_pages("/checkout", checkout_pages.show_checkout),
        form("/checkout/shipping/", checkout_pages.take_shipping),
        form("/checkout/payment/", checkout_pages.place_order),
        *_pages("/checkout/onepage/success", checkout_pages.show_success),
        *_pages("/wishlist", wish_pages.show_wishes),
        form("/wishlist/index/add/", wish_pages.add_wish),
        form("/wishlist/index/fromcart/", wish_pages.move_from_cart),
        form("/wishlist/index/update/", wish_pages.change_wishes),
        form("/wishlist/index/remove/", wish_pages.remove_wish),
        form("/wishlist/index/cart/", wish_pages.buy_wish),
        *_pages("/sales/order/history", order_pages.show_history),
        *_pages("/sales/order/view/order_id/{order:int}", order_pages.show_order),
        form("/sales/order/reorder/order_id/{order:int}/", order_pages.reorder),
        *_pages("/customer/account/login", account_pages.show_login),
        form("/customer/account/loginPost/", account_pages.log_in),
        *_pages("/customer/account/logout", account_pages.log_out),
        *_pages("/customer/account/create", account_pages.show_registration),
        form("/customer/account/createpost/", account_pages.register),
        *_pages("/customer/account", account_pages.show_account),
        *_pages("/customer/account/edit", account_pages.show_account_form),
        form("/customer/account/editPost/", account_pages.change_account),
        *_pages("/customer/address", address_pages.show_addresses),
        *_pages("/customer/address/new", address_pages.show_new_address),
        *_pages("/customer/address/edit/id/{address:int}", address_pages.show_address),
        form("/customer/address/formPost/", address_pages.take_address),
        form("/customer/address/formPost/id/{address:int}/", address_pages.take_address),
        form("/customer/address/delete/id/{address:int}/", address_pages.delete_address),
        *_pages("/newsletter/manage", account_pages.show_newsletter),
        form("/newsletter/manage/save/", account_pages.change_newsletter),
        form("/newsletter/subscriber/new/", account_pages.subscribe),
        *_pages("/contact", content_pages.show_contact),
        form("/contact/index/post/", content_pages.take_message),
        page("/rest/V1/orders", rest.list_orders),
        page("/rest/V1/products/{sku}/reviews", rest.list_reviews),
        page("/{path:path}.html", product_pages.show_product),
        page("/{path:path}", content_pages.show_content),
    ),
)
