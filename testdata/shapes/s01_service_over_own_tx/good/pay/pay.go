package pay

import (
	"context"
	"net/http"
	"strconv"
	"strings"
)

type Client struct{ URL string }

func (c *Client) Charge(ctx context.Context, n int64) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, strings.NewReader(strconv.FormatInt(n, 10)))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
