// Package bad keeps a document in a column, and changes it in Go.
package bad

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
)

type Profile struct {
	Nick     string          `json:"nick"`
	Features map[string]bool `json:"features"`
	Logins   int             `json:"logins"`
}

type Profiles struct{ db *sql.DB }

func (p *Profiles) load(ctx context.Context, user string) (*Profile, error) {
	var raw []byte
	if err := p.db.QueryRowContext(ctx, `SELECT data FROM profiles WHERE user_name = $1`, user).Scan(&raw); err != nil {
		return nil, err
	}
	prof := &Profile{}
	if err := json.Unmarshal(raw, prof); err != nil {
		return nil, fmt.Errorf("profile of %s: %w", user, err)
	}
	return prof, nil
}

func (p *Profiles) store(ctx context.Context, user string, prof *Profile) error {
	raw, err := json.Marshal(prof)
	if err != nil {
		return err
	}
	_, err = p.db.ExecContext(ctx, `UPDATE profiles SET data = $1 WHERE user_name = $2`, raw, user)
	return err
}

func (p *Profiles) Login(ctx context.Context, user string) error {
	prof, err := p.load(ctx, user)
	if err != nil {
		return err
	}
	prof.Logins++
	return p.store(ctx, user, prof) // expect: lostupdate
}

func (p *Profiles) Enable(ctx context.Context, user, feature string) error {
	var raw string
	if err := p.db.QueryRowContext(ctx, `SELECT data FROM profiles WHERE user_name = $1`, user).Scan(&raw); err != nil {
		return err
	}
	var doc map[string]any
	if err := json.Unmarshal([]byte(raw), &doc); err != nil {
		return err
	}
	doc[feature] = true
	out, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	_, err = p.db.ExecContext(ctx, `UPDATE profiles SET data = $1 WHERE user_name = $2`, string(out), user) // expect: lostupdate
	return err
}
