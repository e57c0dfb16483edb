// Package good keeps a document in a column, and changes it in SQL, or replaces it.
package good

import (
	"context"
	"database/sql"
	"encoding/json"
)

type Profile struct {
	Nick     string          `json:"nick"`
	Features map[string]bool `json:"features"`
}

type Profiles struct{ db *sql.DB }

func (p *Profiles) Enable(ctx context.Context, user, feature string) error {
	_, err := p.db.ExecContext(ctx, `UPDATE profiles SET data = jsonb_set(data, ARRAY['features', $1], 'true') WHERE user_name = $2`, feature, user)
	return err
}

// Replace writes the whole document that the user has sent.
func (p *Profiles) Replace(ctx context.Context, user string, prof *Profile) (old *Profile, err error) {
	var raw []byte
	if err := p.db.QueryRowContext(ctx, `SELECT data FROM profiles WHERE user_name = $1`, user).Scan(&raw); err != nil {
		return nil, err
	}
	old = &Profile{}
	if err := json.Unmarshal(raw, old); err != nil {
		return nil, err
	}
	next, err := json.Marshal(prof)
	if err != nil {
		return nil, err
	}
	_, err = p.db.ExecContext(ctx, `UPDATE profiles SET data = $1 WHERE user_name = $2`, next, user)
	return old, err
}
