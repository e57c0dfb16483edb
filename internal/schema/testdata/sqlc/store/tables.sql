CREATE TABLE tags (id int PRIMARY KEY, tag text NOT NULL);
