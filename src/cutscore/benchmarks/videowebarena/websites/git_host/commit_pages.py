"""Commits: the list with its filters, one commit with what it changed, branches, contributors."""

from collections import Counter
from urllib.parse import quote, urlencode

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.git_host.access import find_project, open_repository
from cutscore.benchmarks.videowebarena.websites.git_host.showing import PAGE_SIZE, last_page, show_project
from cutscore.benchmarks.videowebarena.websites.visit import Visit


def show_commits(visit: Visit) -> Response:
    """List the commits of a branch, of a path, of an author, or with words in them."""
    project = find_project(visit)
    repository = open_repository(visit, project)
    found = repository.split(visit.path.get("where", "") or project["default_branch"])
    if found is None and repository.branches:
        visit.missing("branch or commit")
    ref, path = found or (project["default_branch"], "")
    sha = repository.find(ref)
    every = repository.history(sha, path) if sha else []
    if tidy := _tidy_address(visit):
        return visit.redirect(tidy)
    author, search = visit.query.get("author", ""), visit.query.get("search", "").lower()
    commits = [each for each in every if author in ("", each.author) and search in f"{each.title} {each.body}".lower()]
    last = last_page(len(commits))
    page = min(max(1, visit.number("page")), last)
    return show_project(
        visit,
        "commits.html",
        project,
        ref=ref,
        path=path,
        commits=commits[PAGE_SIZE * (page - 1) : PAGE_SIZE * page],
        count=len(commits),
        authors=sorted({each.author for each in every}),
        author=author,
        search=visit.query.get("search", ""),
        page=page,
        last=last,
    )


def show_commit(visit: Visit) -> Response:
    """Show one commit with what it changed."""
    project = find_project(visit)
    repository = open_repository(visit, project)
    sha = repository.find(visit.path["sha"]) or visit.missing("commit")
    commit = repository.commit(sha)
    return show_project(visit, "commit.html", project, commit=commit, diffs=repository.changes(commit))


def show_branches(visit: Visit) -> Response:
    """List the branches, each with its newest commit."""
    project = find_project(visit)
    repository = open_repository(visit, project)
    branches = [(name, repository.commit(sha)) for name, sha in repository.branches.items()]
    return show_project(visit, "branches.html", project, branches=branches)


def show_contributors(visit: Visit) -> Response:
    """List who made commits, those with the most first."""
    project = find_project(visit)
    repository = open_repository(visit, project)
    ref = visit.path["where"]
    sha = repository.find(ref)
    if sha is None and repository.branches:
        visit.missing("branch")
    history = repository.history(sha) if sha else []
    counts = Counter((each.author, each.email) for each in history)
    people = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return show_project(visit, "contributors.html", project, ref=ref, people=people)


def _tidy_address(visit: Visit) -> str:
    """Return the address of the list without what its form left empty, spaces as `%20`; empty where it is tidy."""
    sent = {name: visit.query[name] for name in ("author", "search") if name in visit.query}
    if all(sent.values()) and "+" not in visit.request.url.query:
        return ""
    kept = urlencode({name: value for name, value in sent.items() if value}, quote_via=quote)
    return f"{visit.request.url.path}?{kept}" if kept else visit.request.url.path
