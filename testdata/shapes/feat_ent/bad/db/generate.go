// Package db is the client that ent generates from package schema.
package db

//go:generate go run entgo.io/ent/cmd/ent generate --target . --feature sql/lock,sql/modifier,sql/upsert,sql/execquery ./schema
