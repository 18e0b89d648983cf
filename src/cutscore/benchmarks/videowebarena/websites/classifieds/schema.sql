CREATE TABLE member (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  password TEXT NOT NULL DEFAULT '',
  about TEXT NOT NULL DEFAULT '',
  joined TEXT NOT NULL
);

-- Two levels: what has no parent is a heading, and listings are in what it heads.
CREATE TABLE category (id INTEGER PRIMARY KEY, name TEXT NOT NULL, parent INTEGER REFERENCES category);

CREATE TABLE region (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE city (name TEXT PRIMARY KEY, region INTEGER NOT NULL REFERENCES region);

CREATE TABLE listing (
  id INTEGER PRIMARY KEY,
  seller INTEGER NOT NULL REFERENCES member,
  category INTEGER NOT NULL REFERENCES category,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  price_cents INTEGER NOT NULL,
  city TEXT NOT NULL REFERENCES city,
  published TEXT NOT NULL
);
CREATE INDEX listing_published ON listing (published);

-- Either drawn from what `picture` says, or as somebody uploaded it.
CREATE TABLE photo (
  listing INTEGER NOT NULL REFERENCES listing ON DELETE CASCADE,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  picture TEXT,
  content BLOB,
  PRIMARY KEY (listing, name)
);

CREATE TABLE comment (
  id INTEGER PRIMARY KEY,
  listing INTEGER NOT NULL REFERENCES listing ON DELETE CASCADE,
  author INTEGER NOT NULL REFERENCES member,
  title TEXT NOT NULL,
  stars INTEGER NOT NULL,
  body TEXT NOT NULL,
  written TEXT NOT NULL
);
CREATE INDEX comment_listing ON comment (listing);

CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  listing INTEGER NOT NULL REFERENCES listing ON DELETE CASCADE,
  sender INTEGER NOT NULL REFERENCES member,
  receiver INTEGER NOT NULL REFERENCES member,
  body TEXT NOT NULL,
  sent TEXT NOT NULL
);

CREATE VIEW listing_card AS
SELECT listing.*, category.name AS category_name, category.parent AS heading, region.id AS region,
  region.name AS region_name, member.name AS seller_name, member.email AS seller_email,
  (SELECT MIN(photo.name) FROM photo WHERE photo.listing = listing.id) AS photo
FROM listing
JOIN category ON category.id = listing.category
JOIN city ON city.name = listing.city
JOIN region ON region.id = city.region
JOIN member ON member.id = listing.seller;
