package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x08_ignored_where_it_stands/good/offer"
)

type Client struct {
	http *http.Client
	url  string
}

func New(url string) *Client { return &Client{http: http.DefaultClient, url: url} }

func (c *Client) Notify(ctx context.Context, o offer.Offer) error {
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
