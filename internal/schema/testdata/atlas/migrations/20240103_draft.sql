CREATE TABLE drafts (id int);
