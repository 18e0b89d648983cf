"""A forum of django-machina with two boards and five topics, on SQLite."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cutscore.benchmarks.videowebarena.environment.software.django_site import django_settings, make_django_site
from cutscore.benchmarks.videowebarena.environment.software.site_server import (
    ACCOUNT,
    MAIL,
    PASSWORD,
    SEEDED_AT,
    Application,
    SiteState,
    run_site,
)

# Board, topic, and its posts: who wrote them, and what.
TOPICS = (
    ("Garden", "When do you sow beans?", (("lena", "I never know when to begin."), ("omar", "In the middle of May."))),
    ("Garden", "Snails in the salad", (("omar", "They ate everything in one night."),)),
    ("Garden", "Rain barrel leaks", (("ruth", "At the tap, about a cup an hour."), ("lena", "Mine did, too."))),
    ("Kitchen", "Bread without yeast", (("ruth", "Has anybody a recipe?"), ("omar", "Soda bread, 40 minutes."))),
    ("Kitchen", "How long do you boil eggs?", (("lena", "For a soft yolk, I mean."), ("ruth", "Six minutes."))),
)
WRITERS = ("lena", "omar", "ruth")
PARTS = (
    *("forum", "forum_conversation", "forum_conversation.forum_attachments", "forum_conversation.forum_polls"),
    *("forum_feeds", "forum_moderation", "forum_search", "forum_tracking", "forum_member", "forum_permission"),
)
APPS = (
    *(f"django.contrib.{name}" for name in ("auth", "contenttypes", "sessions", "messages", "staticfiles")),
    *("mptt", "haystack", "widget_tweaks", "machina"),
    *(f"machina.apps.{name}" for name in PARTS),
)
MIDDLEWARE = (
    *("django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware"),
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "machina.apps.forum_permission.middleware.ForumPermissionMiddleware",
)
CONTEXT = (
    *("django.template.context_processors.request", "django.contrib.auth.context_processors.auth"),
    *("django.contrib.messages.context_processors.messages", "django.template.context_processors.static"),
    *("django.template.context_processors.media", "machina.core.context_processors.metadata"),
)
MAY_READ = ("can_see_forum", "can_read_forum")
MAY_WRITE = (
    *MAY_READ,
    *("can_start_new_topics", "can_reply_to_topics", "can_edit_own_posts", "can_post_without_approval"),
)
URLS = "cutscore.benchmarks.videowebarena.environment.software.forum"  # which Django imports


def make_forum(folder: Path) -> tuple[Application, SiteState]:
    """Return the forum in a folder, seeded where it is not yet."""
    return make_django_site(SiteState(folder / "forum.sqlite", folder / "media"), _configure, _seed)


def _configure(state: SiteState) -> None:
    import machina
    from django.conf import settings

    made = django_settings(state, APPS, MIDDLEWARE, CONTEXT, urls=URLS)
    made["TEMPLATES"][0]["DIRS"].append(machina.MACHINA_MAIN_TEMPLATE_DIR)
    memory = "django.core.cache.backends.locmem.LocMemCache"
    settings.configure(
        **made,
        STATICFILES_DIRS=[machina.MACHINA_MAIN_STATIC_DIR],
        CACHES={"default": {"BACKEND": memory}, "machina_attachments": {"BACKEND": memory}},
        LOGIN_URL="/login/",
        LOGIN_REDIRECT_URL="/",
        MACHINA_FORUM_NAME="Neighbours",
        MACHINA_MARKUP_LANGUAGE=None,
        MACHINA_MARKUP_WIDGET="django.forms.Textarea",
        MACHINA_DEFAULT_AUTHENTICATED_USER_FORUM_PERMISSIONS=list(MAY_WRITE),
    )


def __getattr__(name: str) -> Any:
    """Return the addresses of the forum when Django asks: they cannot be made before it is set up."""
    if name != "urlpatterns":
        raise AttributeError(name)
    from django.conf import settings
    from django.contrib.auth.views import LoginView
    from django.urls import include, path, re_path
    from django.views.static import serve

    files = re_path(r"^media/(?P<path>.*)$", serve, {"document_root": settings.MEDIA_ROOT})
    return [files, path("login/", LoginView.as_view()), path("", include("machina.urls"))]


def _seed(state: SiteState) -> None:
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from machina.core.db.models import get_model

    state.files.mkdir(exist_ok=True)
    call_command("migrate", run_syncdb=True, verbosity=0)
    users = get_user_model().objects
    users.create_user(ACCOUNT, MAIL, PASSWORD)
    people = {name: users.create_user(name, f"{name}@example.org", PASSWORD) for name in WRITERS}
    forum, boards = get_model("forum", "Forum"), {}
    for name in dict.fromkeys(each[0] for each in TOPICS):
        boards[name] = forum.objects.create(name=name, type=forum.FORUM_POST)
    permissions = get_model("forum_permission", "ForumPermission").objects.filter(codename__in=MAY_READ)
    for permission in permissions:
        get_model("forum_permission", "UserForumPermission").objects.create(
            permission=permission, anonymous_user=True, has_perm=True
        )
    topic_model, post_model = get_model("forum_conversation", "Topic"), get_model("forum_conversation", "Post")
    at = datetime.fromtimestamp(SEEDED_AT, UTC)
    for board, subject, posts in TOPICS:
        first = people[posts[0][0]]
        topic = topic_model.objects.create(
            forum=boards[board],
            subject=subject,
            poster=first,
            type=topic_model.TOPIC_POST,
            status=topic_model.TOPIC_UNLOCKED,
            approved=True,
        )
        for number, (writer, text) in enumerate(posts):
            words = subject if not number else f"Re: {subject}"
            made = post_model.objects.create(
                topic=topic, poster=people[writer], subject=words, content=text, approved=True
            )
            at += timedelta(hours=1)
            post_model.objects.filter(pk=made.pk).update(created=at, updated=at)
        topic_model.objects.filter(pk=topic.pk).update(created=at, updated=at, last_post_on=at)
    call_command("rebuild_index", interactive=False, verbosity=0)


if __name__ == "__main__":
    run_site(make_forum)
