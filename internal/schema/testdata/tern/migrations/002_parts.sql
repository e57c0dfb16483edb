create table parts (
    widget int not null references widgets on delete cascade,
    n int not null,
    exclude using gist (widget with =, int4range(n, n + 1) with &&) where (n > 0)
);
---- create above / drop below ----
drop table parts;
