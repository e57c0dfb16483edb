package broker

import (
	"bytes"
	"context"
	"net/http"
)

type Client struct{ url string }

func (c *Client) Publish(ctx context.Context, topic string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/"+topic, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
