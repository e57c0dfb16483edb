{{ template "shared/widgets.sql" . }}
create table {{.prefix}}audit (id int);

---- create above / drop below ----

drop table widgets;
