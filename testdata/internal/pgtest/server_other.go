//go:build !unix

package pgtest

import "errors"

// Start cannot run a server here.
func Start() (string, error) {
	return "", errors.New("on this system the tests need a running server: set " + EnvDSN)
}
