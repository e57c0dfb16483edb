package push

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

type Client struct {
	*http.Client
	Base string
}

func (c *Client) Notify(ctx context.Context, user int64, text string) error {
	req, err := http.NewRequestWithContext(ctx, "POST", fmt.Sprint(c.Base, "/push/", user), strings.NewReader(text))
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
