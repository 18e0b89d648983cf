"""What the sites that are made with Django share: settings for SQLite and loopback, and how they begin."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cutscore.benchmarks.videowebarena.environment.software.site_server import PASSWORD, Application, SiteState

SEARCH = "haystack.backends.whoosh_backend.WhooshEngine"


def make_django_site(
    state: SiteState, configure: Callable[[SiteState], None], seed: Callable[[SiteState], None]
) -> tuple[Application, SiteState]:
    """Return a site, seeded where it is not yet."""
    configure(state)
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.wsgi import get_wsgi_application

    application = StaticFilesHandler(get_wsgi_application())
    if not state.is_kept:
        seed(state)
    return application, state


def django_settings(
    state: SiteState, apps: tuple[str, ...], middleware: tuple[str, ...], context: tuple[str, ...], *, urls: str
) -> dict[str, Any]:
    """Return what Django needs for a site on SQLite and loopback; tables are made at once, without migrations."""

    class AsModelsAre(dict[str, None]):
        def __contains__(self, _: object) -> bool:
            return True

        def __getitem__(self, _: str) -> None:
            return None

    templates = {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "DIRS": [str(Path(__file__).parent / "templates")],
        "OPTIONS": {"context_processors": list(context)},
    }
    return {
        "DEBUG": False,
        "SECRET_KEY": PASSWORD,
        "ALLOWED_HOSTS": ["127.0.0.1", "localhost"],
        "ROOT_URLCONF": urls,
        "INSTALLED_APPS": list(apps),
        "MIDDLEWARE": list(middleware),
        "TEMPLATES": [templates],
        "DATABASES": {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(state.database)}},
        "MIGRATION_MODULES": AsModelsAre(),
        "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
        "HAYSTACK_CONNECTIONS": {"default": {"ENGINE": SEARCH, "PATH": str(state.database.with_name("index"))}},
        "MEDIA_ROOT": str(state.files),
        "MEDIA_URL": "/media/",
        "STATIC_URL": "/static/",
        "TIME_ZONE": "UTC",
        "USE_TZ": True,
        "LANGUAGE_CODE": "en-gb",
        "LANGUAGES": [("en-gb", "English")],
    }
