package good

import (
	"context"
	"database/sql"
	"flag"
	_ "github.com/go-sql-driver/mysql"
	"log"
	"os"
)

var user = flag.String("user", "", "user to merge")

// run works on MySQL with autocommit switched off by the DSN.
func run() error {
	flag.Parse()
	db, err := sql.Open("mysql", os.Getenv("MYSQL_DSN"))
	if err != nil {
		return err
	}
	defer db.Close()
	ctx := context.Background()
	if _, err := db.ExecContext(ctx, "SET SESSION sql_mode = 'TRADITIONAL'"); err != nil {
		return err
	}
	var got int
	if err := db.QueryRowContext(ctx, "SELECT GET_LOCK('merge', 5)").Scan(&got); err != nil {
		return err
	}
	var points int
	if err := db.QueryRowContext(ctx, "SELECT points FROM users WHERE login = ? FOR UPDATE", *user).Scan(&points); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "UPDATE users SET points = ? WHERE login = ?", points*2, *user)
	return err
}

func Main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
