CREATE TABLE account (
  name TEXT PRIMARY KEY COLLATE NOCASE,
  full_name TEXT NOT NULL,
  password TEXT NOT NULL DEFAULT '',
  bio TEXT NOT NULL DEFAULT '',
  website TEXT NOT NULL DEFAULT '',
  location TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL DEFAULT '',
  joined TEXT NOT NULL
);
CREATE TABLE follow (
  follower TEXT NOT NULL REFERENCES account (name),
  followed TEXT NOT NULL REFERENCES account (name),
  PRIMARY KEY (follower, followed)
);
CREATE TABLE user_group (
  path TEXT PRIMARY KEY COLLATE NOCASE,
  title TEXT NOT NULL,
  visibility TEXT NOT NULL,
  created TEXT NOT NULL
);
-- `path` is NAMESPACE/NAME, as in its address; the namespace is an account or a group.
CREATE TABLE project (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE COLLATE NOCASE,
  namespace TEXT NOT NULL COLLATE NOCASE,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  visibility TEXT NOT NULL,
  default_branch TEXT NOT NULL DEFAULT 'main',
  forked_from INTEGER REFERENCES project (id),
  created TEXT NOT NULL,
  updated TEXT NOT NULL
);
-- Objects of all repositories; a project reaches those behind its branches.
CREATE TABLE git_object (
  sha TEXT PRIMARY KEY,
  type INTEGER NOT NULL,
  packed BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE branch (
  project INTEGER NOT NULL REFERENCES project (id),
  name TEXT NOT NULL,
  sha TEXT NOT NULL,
  PRIMARY KEY (project, name)
);
-- `space` is the path of a project or of a group.
CREATE TABLE member (
  space TEXT NOT NULL COLLATE NOCASE,
  account TEXT NOT NULL COLLATE NOCASE REFERENCES account (name),
  role TEXT NOT NULL,
  since TEXT NOT NULL,
  PRIMARY KEY (space, account)
);
CREATE TABLE star (
  project INTEGER NOT NULL REFERENCES project (id),
  account TEXT NOT NULL REFERENCES account (name),
  PRIMARY KEY (project, account)
);
CREATE TABLE label (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project (id),
  name TEXT NOT NULL,
  colour TEXT NOT NULL,
  UNIQUE (project, name)
);
CREATE TABLE milestone (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project (id),
  number INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  start_date TEXT NOT NULL DEFAULT '',
  due_date TEXT NOT NULL DEFAULT '',
  UNIQUE (project, number)
);
-- An issue or a merge request; the branches are those of merge requests.
CREATE TABLE issuable (
  id INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES project (id),
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  author TEXT NOT NULL REFERENCES account (name),
  state TEXT NOT NULL DEFAULT 'opened',
  created TEXT NOT NULL,
  updated TEXT NOT NULL,
  due_date TEXT NOT NULL DEFAULT '',
  milestone INTEGER REFERENCES milestone (id),
  source_branch TEXT NOT NULL DEFAULT '',
  target_branch TEXT NOT NULL DEFAULT '',
  merge_commit TEXT NOT NULL DEFAULT '',
  UNIQUE (project, kind, number)
);
CREATE TABLE issuable_label (
  issuable INTEGER NOT NULL REFERENCES issuable (id),
  label INTEGER NOT NULL REFERENCES label (id),
  PRIMARY KEY (issuable, label)
);
-- Who has to do with an issue or a merge request: part is 'assignee' or 'reviewer'.
CREATE TABLE participant (
  issuable INTEGER NOT NULL REFERENCES issuable (id),
  part TEXT NOT NULL,
  account TEXT NOT NULL COLLATE NOCASE REFERENCES account (name),
  PRIMARY KEY (issuable, part, account)
);
CREATE TABLE note (
  id INTEGER PRIMARY KEY,
  issuable INTEGER NOT NULL REFERENCES issuable (id),
  author TEXT NOT NULL REFERENCES account (name),
  text TEXT NOT NULL,
  created TEXT NOT NULL
);
CREATE TABLE todo (
  id INTEGER PRIMARY KEY,
  account TEXT NOT NULL REFERENCES account (name),
  issuable INTEGER NOT NULL REFERENCES issuable (id),
  reason TEXT NOT NULL,
  by TEXT NOT NULL REFERENCES account (name),
  done INTEGER NOT NULL DEFAULT 0,
  created TEXT NOT NULL
);
