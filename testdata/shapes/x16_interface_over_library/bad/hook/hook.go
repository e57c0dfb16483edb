// Package hook calls the subscribers' addresses over an HTTP client that it
// knows by an interface of its own.
package hook

import (
	"context"
	"net/http"
)

// A Doer is what is needed of an HTTP client. Nothing here implements it.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
	Get(url string) (*http.Response, error)
}

// NewClient returns the client of the standard library.
func NewClient() Doer { return &http.Client{} }

// A Tracing adds a header.
type Tracing struct{ Next Doer }

func (t *Tracing) Do(req *http.Request) (*http.Response, error) {
	req.Header.Set("X-Trace", "1")
	return t.Next.Do(req)
}

type Client struct{ http Doer }

func New(d Doer) *Client { return &Client{http: d} }

func (c *Client) Call(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, nil)
	if err != nil {
		return err
	}
	return c.send(req)
}

func (c *Client) send(req *http.Request) error {
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (c *Client) Ping(url string) error {
	resp, err := c.http.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
