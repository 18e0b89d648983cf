"""The back office: which address shows and takes what."""

from pathlib import Path

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop.database import DATABASE
from cutscore.benchmarks.videowebarena.websites.shop.seeding import ADMINISTRATOR, ADMINISTRATOR_PASSWORD
from cutscore.benchmarks.videowebarena.websites.shop_admin import (
    content,
    customers,
    dashboard,
    login,
    marketing,
    order_steps,
    orders,
    product_form,
    products,
    reports,
    reviews,
)
from cutscore.benchmarks.videowebarena.websites.shop_admin.login import staff_form, staff_page
from cutscore.benchmarks.videowebarena.websites.visit import Visit
from cutscore.benchmarks.videowebarena.websites.website import Website, form, page


def add_slash(visit: Visit) -> Response:
    """Send an address without its last slash to the one that has it; there is nothing behind any other."""
    path = visit.request.url.path
    if path.endswith("/"):
        visit.missing("page")
    return visit.redirect(f"{path}/")


_ADDRESSES = (
    page("/", lambda visit: visit.redirect(login.HOME)),
    staff_page("/admin/", dashboard.show_dashboard),
    form("/admin/auth/login/", login.log_in),
    form("/admin/auth/logout/", login.log_out),
    # Catalogue
    staff_page("/media/product/{product:int}.png", products.show_picture),
    staff_page("/admin/catalog/product/", products.show_products),
    staff_form("/admin/catalog/product/massaction/", products.change_products),
    staff_page("/admin/catalog/product/new/", product_form.new_product),
    staff_form("/admin/catalog/product/new/", product_form.save_product),
    staff_page("/admin/catalog/product/edit/id/{product:int}/", product_form.edit_product),
    staff_form("/admin/catalog/product/edit/id/{product:int}/", product_form.save_product),
    staff_form("/admin/catalog/product/addVariant/id/{product:int}/", product_form.add_variant),
    staff_form("/admin/catalog/product/delete/id/{product:int}/", products.remove_product),
    # Sales
    staff_page("/admin/sales/order/", orders.show_orders),
    staff_page("/admin/sales/order/view/order_id/{order:int}/", orders.show_order),
    staff_page("/admin/sales/order/commentsHistory/order_id/{order:int}/", orders.show_history),
    staff_page("/admin/sales/order/commentsHistory/order_id/{order:int}/active_tab/{tab}/", orders.show_history),
    staff_form("/admin/sales/order/addComment/order_id/{order:int}/", orders.add_comment),
    staff_page("/admin/sales/order/address/address_id/{address:int}/", orders.edit_address),
    staff_form("/admin/sales/order/address/address_id/{address:int}/", orders.save_address),
    staff_form("/admin/sales/order/{step}/order_id/{order:int}/", order_steps.take_step),
    staff_page("/admin/order_shipment/new/order_id/{order:int}/", order_steps.new_shipment),
    staff_form("/admin/order_shipment/save/order_id/{order:int}/", order_steps.ship),
    staff_form("/admin/order_shipment/addTrack/order_id/{order:int}/", order_steps.add_tracking),
    # Customers
    staff_page("/admin/customer/index/", customers.show_customers),
    staff_page("/admin/customer/index/edit/id/{customer:int}/", customers.edit_customer),
    staff_form("/admin/customer/index/edit/id/{customer:int}/", customers.save_customer),
    # Marketing and content
    staff_page("/admin/review/product/index/", reviews.show_reviews),
    staff_page("/admin/review/product/pending/", reviews.show_pending),
    staff_form("/admin/review/product/index/massaction/", reviews.change_reviews),
    staff_form("/admin/review/product/pending/massaction/", reviews.change_reviews),
    staff_page("/admin/review/product/edit/id/{review:int}/", reviews.edit_review),
    staff_form("/admin/review/product/edit/id/{review:int}/", reviews.save_review),
    staff_form("/admin/review/product/delete/id/{review:int}/", reviews.delete_review),
    staff_page("/admin/sales_rule/promo_quote/", marketing.show_rules),
    staff_page("/admin/sales_rule/promo_quote/new/", marketing.new_rule),
    staff_form("/admin/sales_rule/promo_quote/new/", marketing.save_rule),
    staff_page("/admin/sales_rule/promo_quote/edit/id/{rule:int}/", marketing.edit_rule),
    staff_form("/admin/sales_rule/promo_quote/edit/id/{rule:int}/", marketing.save_rule),
    staff_form("/admin/sales_rule/promo_quote/delete/id/{rule:int}/", marketing.delete_rule),
    staff_page("/admin/search/term/report/", marketing.show_terms),
    staff_page("/admin/cms/page/", content.show_pages),
    staff_page("/admin/cms/page/edit/page_id/{page:int}/", content.edit_page),
    staff_form("/admin/cms/page/edit/page_id/{page:int}/", content.save_page),
    # Reports
    staff_page("/admin/reports/{group}/{report}/", reports.show_report),
    staff_page("/admin/reports/{group}/{report}/filter/{filter}/", reports.show_filtered),
    page("/admin{path:path}", add_slash),
)
SITE = Website(
    name="shopping_admin",
    title="One Stop Market Admin",
    host="shop-admin.localhost",
    folder=Path(__file__).parent,
    database=DATABASE,
    addresses=_ADDRESSES,
    base_path="/admin",
    account=ADMINISTRATOR,
    password=ADMINISTRATOR_PASSWORD,
    login_path="",  # every page asks at its own address
)
