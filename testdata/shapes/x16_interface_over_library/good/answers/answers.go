// Package answers answers requests from memory.
package answers

import "net/http"

// A Table answers without a network.
type Table struct{ Answers map[string]int }

func (r Table) Do(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: r.Answers[req.URL.Path], Body: http.NoBody}, nil
}
