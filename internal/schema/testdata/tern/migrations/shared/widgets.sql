create table {{ .schema }}.widgets (id int primary key, name text unique);
