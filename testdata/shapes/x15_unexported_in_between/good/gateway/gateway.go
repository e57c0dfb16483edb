// Package gateway talks to the payment provider.
package gateway

import (
	"context"
	"net/http"
)

type Client struct{ http *http.Client }

func New(c *http.Client) *Client { return &Client{http: c} }

func (c *Client) Charge(ctx context.Context, url string) error {
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
