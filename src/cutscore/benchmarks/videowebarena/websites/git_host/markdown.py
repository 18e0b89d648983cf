"""Text that visitors wrote, as HTML: Markdown without HTML of its own, so that a script stays words."""

from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def render_markdown(text: str) -> Markup:
    r"""Return a text as HTML; headings, lists, links, code and tables, nothing else.

    >>> render_markdown("**now** <script>")
    Markup('<p><strong>now</strong> &lt;script&gt;</p>\n')
    """
    return Markup(_parser().render(text))  # noqa: S704  # the parser escapes what is no Markdown
