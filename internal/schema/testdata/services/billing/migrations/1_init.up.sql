CREATE TABLE items (id int PRIMARY KEY, code text);
CREATE TABLE invoices (id int PRIMARY KEY);
