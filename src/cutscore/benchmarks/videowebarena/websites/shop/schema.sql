-- The shop and its back office share these tables. Prices are cents, times ISO text in UTC.
CREATE TABLE category (
  id INTEGER PRIMARY KEY, parent INTEGER REFERENCES category, name TEXT NOT NULL, path TEXT NOT NULL UNIQUE, position INTEGER NOT NULL
);
CREATE TABLE product (
  id INTEGER PRIMARY KEY, sku TEXT NOT NULL UNIQUE, name TEXT NOT NULL, path TEXT NOT NULL UNIQUE, -- path: url-key.html
  price INTEGER NOT NULL, quantity INTEGER NOT NULL, in_stock INTEGER NOT NULL DEFAULT 1, enabled INTEGER NOT NULL DEFAULT 1,
  on_sale INTEGER NOT NULL DEFAULT 0,
  parent INTEGER REFERENCES product,            -- a variant of a configurable product, not listed in the shop itself
  colour TEXT NOT NULL DEFAULT '', size TEXT NOT NULL DEFAULT '',
  short_description TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '',
  picture TEXT NOT NULL,                        -- JSON of pictures.Picture
  created TEXT NOT NULL
);
CREATE TABLE product_category (
  product INTEGER NOT NULL REFERENCES product, category INTEGER NOT NULL REFERENCES category, PRIMARY KEY (product, category)
);
CREATE TABLE attribute (                        -- rows of "Product Details"
  product INTEGER NOT NULL REFERENCES product, position INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (product, position)
);
CREATE TABLE option (                           -- what is chosen when a product is put into the cart
  id INTEGER PRIMARY KEY, product INTEGER NOT NULL REFERENCES product, position INTEGER NOT NULL, name TEXT NOT NULL
);
CREATE TABLE option_value (
  id INTEGER PRIMARY KEY, option INTEGER NOT NULL REFERENCES option, position INTEGER NOT NULL, value TEXT NOT NULL,
  extra_price INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE customer (
  id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
  password TEXT NOT NULL DEFAULT '', customer_group TEXT NOT NULL DEFAULT 'General', subscribed INTEGER NOT NULL DEFAULT 0,
  billing INTEGER, shipping INTEGER,            -- default addresses
  created TEXT NOT NULL
);
CREATE TABLE address (
  id INTEGER PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customer, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
  street TEXT NOT NULL, city TEXT NOT NULL, region TEXT NOT NULL, postcode TEXT NOT NULL, country TEXT NOT NULL, telephone TEXT NOT NULL
);
CREATE TABLE administrator (name TEXT PRIMARY KEY, password TEXT NOT NULL);
CREATE TABLE cart_item (
  id INTEGER PRIMARY KEY, owner TEXT NOT NULL,  -- the customer's email, or `session:TOKEN` of a guest
  product INTEGER NOT NULL REFERENCES product, quantity INTEGER NOT NULL, options TEXT NOT NULL DEFAULT '{}' -- JSON: name → value
);
CREATE TABLE wish (
  id INTEGER PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customer, product INTEGER NOT NULL REFERENCES product,
  quantity INTEGER NOT NULL DEFAULT 1, comment TEXT NOT NULL DEFAULT '', options TEXT NOT NULL DEFAULT '{}', added TEXT NOT NULL
);
CREATE TABLE comparison (owner TEXT NOT NULL, product INTEGER NOT NULL REFERENCES product, PRIMARY KEY (owner, product));
CREATE TABLE purchase (                         -- an order; its number as people see it is id with nine digits: 000000170
  id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer, email TEXT NOT NULL, customer_name TEXT NOT NULL,
  status TEXT NOT NULL,                         -- pending, processing, complete, canceled, closed, holded
  created TEXT NOT NULL, shipping_method TEXT NOT NULL, payment_method TEXT NOT NULL,
  subtotal INTEGER NOT NULL, shipping INTEGER NOT NULL, discount INTEGER NOT NULL DEFAULT 0, tax INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL, coupon TEXT NOT NULL DEFAULT '',
  billing_address TEXT NOT NULL, shipping_address TEXT NOT NULL -- JSON with the columns of address
);
CREATE TABLE purchase_item (
  id INTEGER PRIMARY KEY, purchase INTEGER NOT NULL REFERENCES purchase, product INTEGER REFERENCES product, sku TEXT NOT NULL,
  name TEXT NOT NULL, price INTEGER NOT NULL, quantity INTEGER NOT NULL, options TEXT NOT NULL DEFAULT '{}',
  shipped INTEGER NOT NULL DEFAULT 0, invoiced INTEGER NOT NULL DEFAULT 0, refunded INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE purchase_comment (
  id INTEGER PRIMARY KEY, purchase INTEGER NOT NULL REFERENCES purchase, text TEXT NOT NULL, status TEXT NOT NULL,
  notified INTEGER NOT NULL DEFAULT 0, visible INTEGER NOT NULL DEFAULT 0, created TEXT NOT NULL
);
CREATE TABLE tracking (
  id INTEGER PRIMARY KEY, purchase INTEGER NOT NULL REFERENCES purchase, carrier TEXT NOT NULL, number TEXT NOT NULL, created TEXT NOT NULL
);
CREATE TABLE review (
  id INTEGER PRIMARY KEY, product INTEGER NOT NULL REFERENCES product, nickname TEXT NOT NULL, title TEXT NOT NULL,
  detail TEXT NOT NULL, stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5), status INTEGER NOT NULL, -- 1 approved, 2 pending, 3 not approved
  customer INTEGER REFERENCES customer, created TEXT NOT NULL
);
CREATE TABLE price_rule (                       -- cart price rules of the back office
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, active INTEGER NOT NULL DEFAULT 1, websites TEXT NOT NULL, customer_groups TEXT NOT NULL,
  coupon TEXT NOT NULL DEFAULT '', action TEXT NOT NULL, amount TEXT NOT NULL, created TEXT NOT NULL
);
CREATE TABLE content_page (                     -- pages of the shop's own words: About us, Privacy Policy, …
  id INTEGER PRIMARY KEY, title TEXT NOT NULL, path TEXT NOT NULL UNIQUE, content TEXT NOT NULL, active INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE message (                          -- what came through "Contact us"
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, phone TEXT NOT NULL, text TEXT NOT NULL, created TEXT NOT NULL
);
CREATE TABLE search_term (text TEXT PRIMARY KEY, uses INTEGER NOT NULL, results INTEGER NOT NULL);
CREATE TABLE api_token (token TEXT PRIMARY KEY, administrator TEXT NOT NULL REFERENCES administrator);
CREATE VIEW listed AS                           -- what visitors find, with its stars
  SELECT product.*, (SELECT AVG(stars) FROM review WHERE review.product = product.id AND status = 1) AS rating,
    (SELECT COUNT(*) FROM review WHERE review.product = product.id AND status = 1) AS review_count
  FROM product WHERE parent IS NULL AND enabled;
