// Package hook calls the subscribers' addresses.
package hook

import (
	"context"
	"net/http"
)

// A Doer is what is needed of an HTTP client.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

type Client struct{ http Doer }

func New(d Doer) *Client { return &Client{http: d} }

func (c *Client) Call(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
