"""Which sites there are, by the names that tasks use."""

from collections.abc import Iterable, Mapping
from functools import cache

from cutscore.benchmarks.videowebarena.websites.website import Website


@cache
def websites() -> Mapping[str, Website]:
    """Return all sites by name."""
    from cutscore.benchmarks.videowebarena.websites.classifieds.site import SITE as CLASSIFIEDS
    from cutscore.benchmarks.videowebarena.websites.forum.site import SITE as FORUM
    from cutscore.benchmarks.videowebarena.websites.git_host.site import SITE as GIT_HOST
    from cutscore.benchmarks.videowebarena.websites.home.site import SITE as HOME
    from cutscore.benchmarks.videowebarena.websites.map.site import SITE as MAP
    from cutscore.benchmarks.videowebarena.websites.shop.site import SITE as SHOP
    from cutscore.benchmarks.videowebarena.websites.shop_admin.site import SITE as SHOP_ADMIN

    return {site.name: site for site in (FORUM, CLASSIFIEDS, SHOP, SHOP_ADMIN, GIT_HOST, MAP, HOME)}


def choose(names: Iterable[str]) -> list[Website]:
    """Return the sites of these names; those that we have none of are left out."""
    return [websites()[name] for name in dict.fromkeys(names) if name in websites()]
