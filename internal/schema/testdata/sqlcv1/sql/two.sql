CREATE TABLE two (id int PRIMARY KEY, one int REFERENCES one);
