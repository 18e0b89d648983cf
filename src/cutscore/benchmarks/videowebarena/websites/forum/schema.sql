-- Times are seconds since 1970. A post has an address, a picture, a text, or several of them.
CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  password TEXT NOT NULL DEFAULT '',
  biography TEXT NOT NULL DEFAULT '',
  front_sort TEXT NOT NULL DEFAULT 'hot',
  made INTEGER NOT NULL
);
CREATE TABLE forum (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  sidebar TEXT NOT NULL,
  owner INTEGER NOT NULL REFERENCES account,
  made INTEGER NOT NULL
);
CREATE TABLE subscription (
  account INTEGER NOT NULL REFERENCES account,
  forum INTEGER NOT NULL REFERENCES forum,
  PRIMARY KEY (account, forum)
) WITHOUT ROWID;
CREATE TABLE post (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  forum INTEGER NOT NULL REFERENCES forum,
  author INTEGER NOT NULL REFERENCES account,
  title TEXT NOT NULL,
  slug TEXT NOT NULL,
  url TEXT NOT NULL DEFAULT '',
  image TEXT NOT NULL DEFAULT '',
  body TEXT NOT NULL DEFAULT '',
  made INTEGER NOT NULL,
  edited INTEGER,
  active INTEGER NOT NULL,
  score INTEGER NOT NULL,
  comments INTEGER NOT NULL DEFAULT 0,
  -- A vote is worth half an hour of youth, up to three weeks.
  ranking INTEGER NOT NULL GENERATED ALWAYS AS (made / 60 + 30 * MIN(score, 1000)) VIRTUAL
);
CREATE INDEX post_of_forum ON post (forum);
CREATE INDEX post_of_author ON post (author);
CREATE TABLE comment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  post INTEGER NOT NULL REFERENCES post ON DELETE CASCADE,
  parent INTEGER REFERENCES comment ON DELETE CASCADE,
  author INTEGER NOT NULL REFERENCES account,
  body TEXT NOT NULL,
  made INTEGER NOT NULL,
  edited INTEGER,
  score INTEGER NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX comment_of_post ON comment (post);
CREATE INDEX comment_of_parent ON comment (parent);
CREATE INDEX comment_of_author ON comment (author);
CREATE TRIGGER comment_made AFTER INSERT ON comment BEGIN
  UPDATE post SET comments = comments + 1, active = MAX(active, new.made) WHERE id = new.post;
END;
CREATE TRIGGER comment_gone AFTER DELETE ON comment BEGIN
  UPDATE post SET comments = comments - 1 WHERE id = old.post;
END;
CREATE TABLE post_vote (
  account INTEGER NOT NULL REFERENCES account,
  thing INTEGER NOT NULL REFERENCES post ON DELETE CASCADE,
  choice INTEGER NOT NULL CHECK (choice IN (-1, 1)),
  PRIMARY KEY (account, thing)
) WITHOUT ROWID;
CREATE TABLE comment_vote (
  account INTEGER NOT NULL REFERENCES account,
  thing INTEGER NOT NULL REFERENCES comment ON DELETE CASCADE,
  choice INTEGER NOT NULL CHECK (choice IN (-1, 1)),
  PRIMARY KEY (account, thing)
) WITHOUT ROWID;
CREATE TABLE thread (
  id INTEGER PRIMARY KEY,
  sender INTEGER NOT NULL REFERENCES account,
  receiver INTEGER NOT NULL REFERENCES account
);
CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  thread INTEGER NOT NULL REFERENCES thread,
  author INTEGER NOT NULL REFERENCES account,
  body TEXT NOT NULL,
  made INTEGER NOT NULL
);
CREATE TABLE block (
  account INTEGER NOT NULL REFERENCES account,
  blocked INTEGER NOT NULL REFERENCES account,
  PRIMARY KEY (account, blocked)
) WITHOUT ROWID;
-- What a picture of the seed shows; it is drawn when it is asked for. Photos of visitors are uploads.
CREATE TABLE picture (name TEXT PRIMARY KEY, shows TEXT NOT NULL);
