"""Fills the forum from a seed: people, forums, posts, comments, subscriptions and messages."""

import hashlib
import tomllib
from pathlib import Path
from random import Random
from sqlite3 import Connection
from typing import Any, get_args

from cutscore.benchmarks.videowebarena.websites.accounts import hash_password
from cutscore.benchmarks.videowebarena.websites.forum.address_parts import make_slug
from cutscore.benchmarks.videowebarena.websites.pictures import DrawnPicture
from cutscore.benchmarks.videowebarena.websites.state import START
from cutscore.benchmarks.videowebarena.websites.website import SeedContext
from cutscore.stage.palette import Colour

ACCOUNT, PASSWORD = "MarvelsGrantMan136", "notice-board"
GUEST, GUEST_PASSWORD = "paper_boat", "lighthouse"
POSTS_EACH = 8
FIRST_DRAWN = 101  # numbers of posts that are drawn; those of seed.toml have their own
DAY_S = 86_400
START_S = int(START.timestamp())
OLDEST_DAYS = 600
SHARE_OF_PICTURES = 0.25  # of what would be texts, where a forum has pictures; all of its links are
MOST_SCORE = 6_000  # the posts of tutorials are above it
_ADD_COMMENT = "INSERT INTO comment (id, post, parent, author, body, made, score) VALUES (?, ?, ?, ?, ?, ?, ?)"
_COLOURS: tuple[Colour, ...] = get_args(Colour)


def fill(context: SeedContext) -> None:
    """Fill the tables; equal seeds give equal rows."""
    told = tomllib.loads((Path(__file__).parent / "seed.toml").read_text(encoding="utf-8"))
    people = _add_people(context.db, told)
    forums = _add_forums(context, told, people)
    for post in told["posts"]:
        _add_told_post(context.db, post, forums, people)
    _add_drawn_posts(context, told, forums, list(people.values())[2:])
    _add_messages(context.db, told["messages"], people)


def _add_people(db: Connection, told: dict[str, Any]) -> dict[str, int]:
    words = told["words"]
    names = [ACCOUNT, GUEST, *(f"{one}_{other}" for one in words["adjectives"] for other in words["nouns"])]
    people = {name: number for number, name in enumerate(names, 1)}
    passwords = {ACCOUNT: PASSWORD, GUEST: GUEST_PASSWORD}
    for name, number in people.items():
        password = hash_password(passwords[name], str(number)) if name in passwords else ""
        biography = told["account"]["biography"] if name == ACCOUNT else ""
        db.execute(
            "INSERT INTO account (id, name, password, biography, made) VALUES (?, ?, ?, ?, ?)",
            (number, name, password, biography, START_S - (OLDEST_DAYS + 200) * DAY_S),
        )
    return people


def _add_forums(context: SeedContext, told: dict[str, Any], people: dict[str, int]) -> dict[str, int]:
    forums = told["forums"]
    made = {name: number for number, name in enumerate(forums, 1)}
    others = list(people.values())[2:]
    for name, number in made.items():
        title, description, topics, _ = forums[name]
        rules = "\n".join(
            ("Be kind. Read the forum before you post.", "", "We talk about:", *(f"- {each}" for each in topics))
        )
        owner = people[ACCOUNT] if name == told["account"]["owns"] else context.draw.choice(others)
        context.db.execute(
            "INSERT INTO forum VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, name, title, description, rules, owner, START_S),
        )
        # Those that seed.toml names first have most subscribers.
        for account in context.draw.sample(others, max(3, len(others) - number)):
            context.db.execute("INSERT INTO subscription VALUES (?, ?)", (account, number))
    for name in told["account"]["subscribed"]:
        context.db.execute("INSERT INTO subscription VALUES (?, ?)", (people[ACCOUNT], made[name]))
    return made


def _add_told_post(db: Connection, post: dict[str, Any], forums: dict[str, int], people: dict[str, int]) -> None:
    made = START_S - post["days_ago"] * DAY_S - 3_600
    image = _add_picture(db, DrawnPicture(**post["picture"])) if "picture" in post else ""
    about = (post["id"], forums[post["forum"]], people[post["author"]], post["title"], "", image, post.get("body", ""))
    _add_post(db, *about, made=made, score=post["score"])
    for number, (author, said, score) in enumerate(post.get("comments", []), 1):
        row = (post["id"] * 10 + number, post["id"], None, people[author], said, made + 600 * number, score)
        db.execute(_ADD_COMMENT, row)


def _add_drawn_posts(context: SeedContext, told: dict[str, Any], forums: dict[str, int], authors: list[int]) -> None:
    """Add as many posts to each forum: texts and links about its topics, and pictures where it has any."""
    draw, db, words = context.draw, context.db, told["words"]
    post = comment = FIRST_DRAWN
    for name, number in forums.items():
        _, _, topics, kinds = told["forums"][name]
        texts = [title.format(topic=topic) for title in words["talk_titles"] for topic in topics]
        links = [title.format(topic=topic) for title in words["link_titles"] for topic in topics]
        made_of = [(title, "") for title in draw.sample(texts, POSTS_EACH // 2)]
        made_of += [(title, f"https://example.org/{make_slug(title)}") for title in draw.sample(links, POSTS_EACH // 2)]
        for text, link in made_of:
            made = START_S - int(draw.triangular(0, OLDEST_DAYS, 0) * DAY_S)
            body = "" if link else draw.choice(words["bodies"]).format(topic=draw.choice(topics))
            row = text, link, "", body
            if kinds and (link or draw.random() < SHARE_OF_PICTURES):
                title, image = _draw_picture(db, draw, kinds, words["picture_titles"])
                row = title, "", image, ""
            score = min(int(3 * draw.paretovariate(0.8)), MOST_SCORE)
            _add_post(db, post, number, draw.choice(authors), *row, made=made, score=score)
            comment = _add_comments(db, draw, words["comments"], authors, post=post, first=comment, since=made)
            post += 1


def _draw_picture(db: Connection, draw: Random, kinds: list[str], titles: list[str]) -> tuple[str, str]:
    colour, ground = draw.sample(_COLOURS, 2)
    shown = DrawnPicture(kind=draw.choice(kinds), colour=colour, ground=ground, count=draw.choice((1, 1, 1, 2, 3)))
    title = draw.choice(titles).format(thing=shown.kind.replace("-", " "))
    return title, _add_picture(db, shown)


def _add_picture(db: Connection, picture: DrawnPicture) -> str:
    shows = picture.model_dump_json()
    name = f"{hashlib.sha256(shows.encode()).hexdigest()}.png"
    db.execute("INSERT OR IGNORE INTO picture VALUES (?, ?)", (name, shows))
    return name


def _add_post(db: Connection, *row: object, made: int, score: int) -> None:
    number, forum, author, title, url, image, body = row
    db.execute(
        "INSERT INTO post (id, forum, author, title, slug, url, image, body, made, active, score)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (number, forum, author, title, make_slug(str(title)), url, image, body, made, made, score),
    )


def _add_comments(
    db: Connection, draw: Random, words: list[str], authors: list[int], *, post: int, first: int, since: int
) -> int:
    """Add some comments, about half of them replies to others, and return the number of the next one."""
    some = draw.choice((0, 1, 2, 3, 4, 5, 7, 9, 12))
    times = sorted(draw.randrange(since, START_S + 1) for _ in range(some))
    for number, (said, made) in enumerate(zip(draw.sample(words, some), times, strict=True), first):
        parent = draw.randrange(first, number) if number > first and draw.random() < 0.5 else None
        row = (number, post, parent, draw.choice(authors), said, made, round(draw.gauss(6, 7)))
        db.execute(
            "INSERT INTO comment (id, post, parent, author, body, made, score) VALUES (?, ?, ?, ?, ?, ?, ?)", row
        )
    return first + some


def _add_messages(db: Connection, threads: list[dict[str, Any]], people: dict[str, int]) -> None:
    for number, thread in enumerate(threads, 1):
        db.execute("INSERT INTO thread VALUES (?, ?, ?)", (number, people[thread["from"]], people[thread["to"]]))
        for after, said in enumerate(thread["said"]):
            made = START_S - thread["days_ago"] * DAY_S + 60 * after
            db.execute(
                "INSERT INTO message (thread, author, body, made) VALUES (?, ?, ?, ?)",
                (number, people[thread["from"]], said, made),
            )
