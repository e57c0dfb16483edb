// Package bank asks the bank.
package bank

import (
	"context"
	"net/http"
)

// A Client is the bank over HTTP.
type Client struct{ URL string }

// Charge takes the money.
func (c *Client) Charge(ctx context.Context, cents int64) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
