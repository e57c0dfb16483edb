CREATE TABLE settings (k text PRIMARY KEY);
