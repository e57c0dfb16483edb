// Package bad keeps lists in text columns.
package bad

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Notes struct{ pool *pgxpool.Pool }

func (n *Notes) Tag(ctx context.Context, id int64, tag string) error {
	var tags string
	if err := n.pool.QueryRow(ctx, `SELECT tags FROM notes WHERE id = $1`, id).Scan(&tags); err != nil {
		return err
	}
	list := strings.Split(tags, ",")
	if slices.Contains(list, tag) {
		return nil
	}
	list = append(list, tag)
	_, err := n.pool.Exec(ctx, `UPDATE notes SET tags = $1 WHERE id = $2`, strings.Join(list, ","), id) // expect: lostupdate
	return err
}

func (n *Notes) Append(ctx context.Context, id int64, text string) error {
	var body string
	if err := n.pool.QueryRow(ctx, `SELECT body FROM notes WHERE id = $1`, id).Scan(&body); err != nil {
		return err
	}
	_, err := n.pool.Exec(ctx, `UPDATE notes SET body = $1 WHERE id = $2`, fmt.Sprintf("%s\n%s", body, text), id) // expect: lostupdate
	return err
}

func (n *Notes) Renumber(ctx context.Context, id int64) error {
	var code string
	if err := n.pool.QueryRow(ctx, `SELECT serial FROM notes WHERE id = $1`, id).Scan(&code); err != nil {
		return err
	}
	k, err := strconv.Atoi(strings.TrimPrefix(code, "N"))
	if err != nil {
		return err
	}
	_, err = n.pool.Exec(ctx, `UPDATE notes SET serial = $1 WHERE id = $2`, "N"+strconv.Itoa(k+1), id) // expect: lostupdate
	return err
}

func (n *Notes) Share(ctx context.Context, id int64, with string) error {
	var readers []string
	if err := n.pool.QueryRow(ctx, `SELECT readers FROM notes WHERE id = $1`, id).Scan(&readers); err != nil {
		return err
	}
	readers = append(readers, with)
	_, err := n.pool.Exec(ctx, `UPDATE notes SET readers = $1 WHERE id = $2`, readers, id) // expect: lostupdate
	return err
}
