package good

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"github.com/lib/pq"
)

type Repo struct {
	db     *sql.DB
	schema string
}

func New(ctx context.Context, dsn, schema string) (*Repo, error) {
	c, err := pq.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(&schemaConnector{Connector: c, schema: schema})
	return &Repo{db: db, schema: schema}, db.PingContext(ctx)
}

// schemaConnector sets the schema on every new session.
type schemaConnector struct {
	driver.Connector
	schema string
}

func (c *schemaConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	ex, ok := conn.(driver.ExecerContext)
	if !ok {
		return nil, errors.New("driver without ExecContext")
	}
	if _, err := ex.ExecContext(ctx, "SET search_path TO "+pq.QuoteIdentifier(c.schema), nil); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}
