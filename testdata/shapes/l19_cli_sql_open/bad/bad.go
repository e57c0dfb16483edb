package bad

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	_ "github.com/jackc/pgx/v5/stdlib"
	"log"
	"os"
)

var user = flag.String("user", "", "user to merge")

func run() error {
	flag.Parse()
	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer db.Close()
	ctx := context.Background()
	var points int
	if err := db.QueryRowContext(ctx, `SELECT points FROM users WHERE login = $1 FOR UPDATE`, *user).Scan(&points); err != nil { // expect: lockoutsidetx
		return err
	}
	fmt.Println("points:", points)
	_, err = db.ExecContext(ctx, `UPDATE users SET points = $2 WHERE login = $1`, *user, points*2) // also: lostupdate
	return err
}

func Main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
