CREATE TABLE b (id int PRIMARY KEY, a int REFERENCES a (id));
