-- +goose Up
CREATE TABLE rooms (id int PRIMARY KEY);
