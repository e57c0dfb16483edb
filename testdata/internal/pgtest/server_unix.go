//go:build unix

package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// watchdog runs the server until its standard input ends, which is when the
// process that started it is gone, killed or not; then it stops the server and
// removes its files. Arguments: directory of the server, program, its arguments.
const watchdog = `
dir=$1; shift
( "$@"; : > "$dir/exited" ) &
read -r _
[ -f "$dir/data/postmaster.pid" ] && kill -QUIT "$(head -n 1 "$dir/data/postmaster.pid")"
wait
rm -rf "$dir"
`

// settings make the server fast and its behaviour repeatable; nothing of it
// outlives the test, so nothing needs to reach the disk.
var settings = map[string]string{
	"autovacuum":                 "off", // its locks would show up in a timeline
	"deadlock_timeout":           DeadlockTimeout.String(),
	"fsync":                      "off",
	"full_page_writes":           "off",
	"jit":                        "off",
	"listen_addresses":           "", // the socket is private, and no port can be taken by somebody else
	"max_connections":            "200",
	"max_prepared_transactions":  "10",
	"shared_buffers":             "32MB",
	"synchronous_commit":         "off",
	"timezone":                   "UTC",
	"unix_socket_permissions":    "0777",
	"logging_collector":          "off",
	"dynamic_shared_memory_type": "posix",
}

// Start runs a throw-away server that lives as long as this process, and
// returns its DSN.
func Start() (string, error) {
	bindir, err := findBindir()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "pgtxvet-")
	if err != nil {
		return "", err
	}
	if len(dir) > 80 { // a socket's path holds about 100 bytes
		os.Remove(dir)
		if dir, err = os.MkdirTemp("/tmp", "pgtxvet-"); err != nil {
			return "", err
		}
	}
	dsn, err := start(bindir, dir)
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dsn, nil
}

func start(bindir, dir string) (string, error) {
	attr, err := serverUser(dir)
	if err != nil {
		return "", err
	}
	data := filepath.Join(dir, "data")
	initdb := command(attr, dir, filepath.Join(bindir, "initdb"),
		"-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", initdb.Path, err, out)
	}

	args := []string{"-c", watchdog, "sh", dir, filepath.Join(bindir, "postgres"), "-D", data, "-k", dir}
	for name, value := range settings {
		args = append(args, "-c", name+"="+value)
	}
	server := command(attr, dir, "/bin/sh", args...)
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return "", err
	}
	defer log.Close()
	server.Stdout, server.Stderr = log, log
	leash, err := server.StdinPipe() // never written, closed by the end of this process
	if err != nil {
		return "", err
	}
	if err := server.Start(); err != nil {
		return "", err
	}
	dsn := fmt.Sprintf("host=%s port=5432 user=postgres dbname=postgres sslmode=disable", dir)
	if err := awaitReady(dsn, dir); err != nil {
		out, _ := os.ReadFile(log.Name())
		leash.Close()
		return "", errors.Join(fmt.Errorf("%s: %w\n%s", bindir, err, out), server.Wait())
	}
	keep = append(keep, leash)
	return dsn, nil
}

// keep holds the watchdogs' leashes: a collected pipe is a closed pipe.
var keep []any

func awaitReady(dsn, dir string) error {
	var err error
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		var conn *pgx.Conn
		if conn, err = pgx.Connect(ctx, dsn); err == nil {
			err = conn.Close(ctx)
			cancel()
			return err
		}
		cancel()
		if _, gone := os.Stat(filepath.Join(dir, "exited")); gone == nil {
			return errors.New("the server ended while it was starting")
		}
	}
	return err
}

// serverUser gives the directory to the user that the server will run as:
// PostgreSQL refuses to be root.
func serverUser(dir string) (*syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{Setsid: true} // an interrupt from the keyboard is for the test, not for the server
	if os.Geteuid() != 0 {
		return attr, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(err1, err2, os.Chown(dir, int(uid), int(gid))); err != nil {
			return nil, err
		}
		attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return attr, nil
	}
	return nil, errors.New("the tests run as root, which PostgreSQL refuses, and there is no user postgres or nobody to run it as")
}

func command(attr *syscall.SysProcAttr, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = attr
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "LC_ALL=C", "TZ=UTC", "PATH=" + os.Getenv("PATH")}
	return cmd
}
