CREATE TABLE items (id int PRIMARY KEY, code text UNIQUE);
CREATE TABLE orders (id int PRIMARY KEY);
