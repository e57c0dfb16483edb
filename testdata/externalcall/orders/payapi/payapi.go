// Package payapi speaks to the payment provider.
package payapi

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/pgtxvet/pgtxvet/testdata/externalcall/orders"
)

// Client implements [orders.Payments].
type Client struct {
	base string
	http *http.Client
}

var _ orders.Payments = (*Client)(nil)

// NewClient returns a client of the provider at base.
func NewClient(base string, client *http.Client) *Client {
	return &Client{base: base, http: client}
}

// Charge takes the money and returns the provider's receipt.
func (c *Client) Charge(ctx context.Context, reference string, cents int64) (string, error) {
	req, err := c.request(ctx, reference, cents)
	if err != nil {
		return "", err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("payment provider: %s", resp.Status)
	}
	receipt, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	return string(receipt), err
}

// Describe tells what Charge would send.
func (c *Client) Describe(reference string, cents int64) (string, error) {
	req, err := c.request(context.Background(), reference, cents)
	if err != nil {
		return "", err
	}
	return req.Method + " " + req.URL.String(), nil
}

func (c *Client) request(ctx context.Context, reference string, cents int64) (*http.Request, error) {
	form := url.Values{"reference": {reference}, "cents": {strconv.FormatInt(cents, 10)}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/charges", strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return req, nil
}
