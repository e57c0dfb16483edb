// Package tickets closes support tickets and tells other systems: gorm and
// webhooks.
package tickets

import (
	"context"
	"errors"
	"log"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"gorm.io/gorm"
)

// Ticket is a row of tickets.
type Ticket struct {
	ID     int64
	Closed bool
}

// Hook is a system that wants to know.
type Hook string

func (h Hook) call(ctx context.Context, event string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, string(h), strings.NewReader(url.Values{"event": {event}}.Encode()))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Desk answers tickets.
type Desk struct {
	db    *gorm.DB
	hooks []Hook
}

// NewDesk returns a desk that tells the hooks what it does.
func NewDesk(db *gorm.DB, hooks ...Hook) *Desk { return &Desk{db: db, hooks: hooks} }

func closeTicket(tx *gorm.DB, id int64) error {
	return tx.Model(&Ticket{ID: id}).Update("closed", true).Error
}

// Close closes the ticket and tells the hooks one after the other.
func (d *Desk) Close(ctx context.Context, id int64) error {
	return d.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := closeTicket(tx, id); err != nil {
			return err
		}
		for _, h := range d.hooks {
			if err := h.call(ctx, "closed"); err != nil { // want "transaction open"
				return err
			}
		}
		return nil
	})
}

// CloseThenTell tells the hooks when the ticket is closed for good.
//
//proof:fixes (*Desk).Close
func (d *Desk) CloseThenTell(ctx context.Context, id int64) error {
	err := d.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return closeTicket(tx, id) })
	if err != nil {
		return err
	}
	for _, h := range d.hooks {
		err = errors.Join(err, h.call(ctx, "closed"))
	}
	return err
}

// CloseAndTellAll tells all hooks at once. The transaction waits for the
// slowest.
func (d *Desk) CloseAndTellAll(ctx context.Context, id int64) error {
	return d.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := closeTicket(tx, id); err != nil {
			return err
		}
		return d.tellAll(ctx, "closed") // want "transaction open"
	})
}

// CloseThenTellAll waits for the slowest without a transaction.
//
//proof:fixes (*Desk).CloseAndTellAll
func (d *Desk) CloseThenTellAll(ctx context.Context, id int64) error {
	if err := closeTicket(d.db.WithContext(ctx), id); err != nil {
		return err
	}
	return d.tellAll(ctx, "closed")
}

func (d *Desk) tellAll(ctx context.Context, event string) error {
	var wg sync.WaitGroup
	failed := make([]error, len(d.hooks))
	for i, h := range d.hooks {
		wg.Go(func() { failed[i] = h.call(ctx, event) })
	}
	wg.Wait()
	return errors.Join(failed...)
}

// CloseInBackground is right as well: nobody waits for the goroutine. (Should
// the commit fail, the hooks have heard of it all the same.)
func (d *Desk) CloseInBackground(ctx context.Context, id int64) error {
	return d.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := closeTicket(tx, id); err != nil {
			return err
		}
		go func() {
			if err := d.tellAll(context.WithoutCancel(ctx), "closed"); err != nil {
				log.Print(err)
			}
		}()
		return nil
	})
}
