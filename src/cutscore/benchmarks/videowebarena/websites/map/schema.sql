-- Nodes are points: houses, places, towns. Ways are lines and areas: streets, parks, the river.
CREATE TABLE node (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,                  -- empty for a house that is nothing else
  label TEXT NOT NULL,                 -- what kind of place it is, for people
  address TEXT NOT NULL,               -- behind the name, from the house to the island
  lat REAL NOT NULL,
  lon REAL NOT NULL,
  tags TEXT NOT NULL,                  -- JSON, in the order in which they are shown
  words TEXT NOT NULL                  -- what search looks at
);
CREATE TABLE way (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  label TEXT NOT NULL,
  address TEXT NOT NULL,
  lat REAL NOT NULL,
  lon REAL NOT NULL,
  tags TEXT NOT NULL,
  words TEXT NOT NULL,
  points TEXT NOT NULL                 -- JSON: [number of the crossing or null, latitude, longitude], …
);
CREATE VIEW feature AS
  SELECT 'node' AS kind, id, name, label, address, lat, lon, tags, words FROM node
  UNION ALL
  SELECT 'way', id, name, label, address, lat, lon, tags, words FROM way;
CREATE TABLE shore (number INTEGER PRIMARY KEY, lat REAL NOT NULL, lon REAL NOT NULL);
