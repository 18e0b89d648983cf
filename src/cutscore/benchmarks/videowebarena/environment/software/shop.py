"""A shop of django-oscar with eight products and its dashboard, on SQLite."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from cutscore.benchmarks.videowebarena.environment.software.django_site import django_settings, make_django_site
from cutscore.benchmarks.videowebarena.environment.software.site_server import (
    ACCOUNT,
    MAIL,
    PASSWORD,
    PICTURES,
    Application,
    SiteState,
    run_site,
)

# Title, category, price, how many there are, picture.
PRODUCTS = (
    ("Green Mug", "Kitchen", "7.50", 12, "green-mug"),
    ("Blue Mug", "Kitchen", "8.25", 9, "blue-mug"),
    ("Steel Kettle", "Kitchen", "34.90", 4, "steel-kettle"),
    ("Copper Kettle", "Kitchen", "59.00", 3, "copper-kettle"),
    ("Red Lamp", "Living room", "41.20", 5, "red-lamp"),
    ("Red Lantern", "Living room", "23.80", 7, "red-lantern"),
    ("Round Clock", "Living room", "18.60", 6, "round-clock"),
    ("Square Clock", "Living room", "19.40", 6, "square-clock"),
)
PARTS = (
    *("analytics.apps.AnalyticsConfig", "checkout.apps.CheckoutConfig", "address.apps.AddressConfig"),
    *("shipping.apps.ShippingConfig", "catalogue.apps.CatalogueConfig"),
    *("catalogue.reviews.apps.CatalogueReviewsConfig", "communication.apps.CommunicationConfig"),
    *("partner.apps.PartnerConfig", "basket.apps.BasketConfig", "payment.apps.PaymentConfig"),
    *("offer.apps.OfferConfig", "order.apps.OrderConfig", "customer.apps.CustomerConfig"),
    *("search.apps.SearchConfig", "voucher.apps.VoucherConfig", "wishlists.apps.WishlistsConfig"),
    *("dashboard.apps.DashboardConfig", "dashboard.reports.apps.ReportsDashboardConfig"),
    *("dashboard.users.apps.UsersDashboardConfig", "dashboard.orders.apps.OrdersDashboardConfig"),
    *("dashboard.catalogue.apps.CatalogueDashboardConfig", "dashboard.offers.apps.OffersDashboardConfig"),
    *("dashboard.partners.apps.PartnersDashboardConfig", "dashboard.pages.apps.PagesDashboardConfig"),
    *("dashboard.ranges.apps.RangesDashboardConfig", "dashboard.reviews.apps.ReviewsDashboardConfig"),
    *("dashboard.vouchers.apps.VouchersDashboardConfig", "dashboard.shipping.apps.ShippingDashboardConfig"),
    "dashboard.communications.apps.CommunicationsDashboardConfig",
)
APPS = (
    *(f"django.contrib.{name}" for name in ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")),
    *("django.contrib.sites", "django.contrib.flatpages", "oscar.config.Shop"),
    *(f"oscar.apps.{name}" for name in PARTS),
    *("widget_tweaks", "haystack", "treebeard", "sorl.thumbnail", "django_tables2"),
)
CONTEXT = (
    *("django.template.context_processors.request", "django.contrib.auth.context_processors.auth"),
    *("django.template.context_processors.i18n", "django.contrib.messages.context_processors.messages"),
    *(f"oscar.{name}" for name in ("apps.search.context_processors.search_form", "core.context_processors.metadata")),
    *(
        "oscar.apps.checkout.context_processors.checkout",
        "oscar.apps.communication.notifications.context_processors.notifications",
    ),
)
MIDDLEWARE = (
    *("django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware"),
    *(
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ),
    "oscar.apps.basket.middleware.BasketMiddleware",
)
URLS = "cutscore.benchmarks.videowebarena.environment.software.shop"  # which Django imports


def make_shop(folder: Path) -> tuple[Application, SiteState]:
    """Return the shop in a folder, seeded where it is not yet."""
    return make_django_site(SiteState(folder / "shop.sqlite", folder / "media"), _configure, _seed)


def _configure(state: SiteState) -> None:
    from django.conf import settings
    from oscar import defaults

    usual = {name: value for name, value in vars(defaults).items() if name.isupper()}
    backends = ("oscar.apps.customer.auth_backends.EmailBackend", "django.contrib.auth.backends.ModelBackend")
    settings.configure(
        **usual,
        **django_settings(state, APPS, MIDDLEWARE, CONTEXT, urls=URLS),
        AUTHENTICATION_BACKENDS=backends,
        # Whether a small picture was made is asked of the database, which is put back, and not of memory.
        CACHES={"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}},
        SITE_ID=1,
    )
    settings.OSCAR_SHOP_NAME, settings.OSCAR_SHOP_TAGLINE = "Corner Shop", ""
    settings.OSCAR_DEFAULT_CURRENCY = "EUR"


def __getattr__(name: str) -> Any:
    """Return the addresses of the shop when Django asks: they cannot be made before it is set up."""
    if name != "urlpatterns":
        raise AttributeError(name)
    from django.apps import apps
    from django.conf import settings
    from django.urls import include, path, re_path
    from django.views.static import serve

    files = re_path(r"^media/(?P<path>.*)$", serve, {"document_root": settings.MEDIA_ROOT})
    language = path("i18n/", include("django.conf.urls.i18n"))
    return [files, language, path("", include(apps.get_app_config("oscar").urls[0]))]


def _seed(state: SiteState) -> None:
    from django.contrib.auth import get_user_model
    from django.core.files import File
    from django.core.management import call_command
    from oscar.core.loading import get_model

    state.files.mkdir(exist_ok=True)
    call_command("migrate", run_syncdb=True, verbosity=0)
    get_user_model().objects.create_superuser(ACCOUNT, MAIL, PASSWORD, first_name="Kim", last_name="Berg")
    country = get_model("address", "Country")
    country.objects.create(iso_3166_1_a2="DE", printable_name="Germany", name="Germany", is_shipping_country=True)
    kind = get_model("catalogue", "ProductClass").objects.create(name="Goods", track_stock=True)
    partner = get_model("partner", "Partner").objects.create(name="Store")
    category, categories = get_model("catalogue", "Category"), {}
    for name in dict.fromkeys(each[1] for each in PRODUCTS):
        categories[name] = category.add_root(name=name, is_public=True)
    for number, (title, shelf, price, count, picture) in enumerate(PRODUCTS, start=1):
        product = get_model("catalogue", "Product").objects.create(
            title=title, upc=f"G-{number:03}", product_class=kind, structure="standalone", is_public=True
        )
        get_model("catalogue", "ProductCategory").objects.create(product=product, category=categories[shelf])
        get_model("partner", "StockRecord").objects.create(
            product=product,
            partner=partner,
            partner_sku=f"S-{number:03}",
            price_currency="EUR",
            price=Decimal(price),
            num_in_stock=count,
        )
        with (PICTURES / f"{picture}.png").open("rb") as stream:
            image = get_model("catalogue", "ProductImage")(product=product, display_order=0, caption=title)
            image.original.save(f"{picture}.png", File(stream))
    call_command("rebuild_index", interactive=False, verbosity=0)  # or no list shows any of them


if __name__ == "__main__":
    run_site(make_shop)
