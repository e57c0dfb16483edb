package lsp

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/pgtxvet/pgtxvet/internal/session"
)

// A progress shows how far a check is, if it takes long enough to look at and the
// client can show it. It is called from several goroutines.
type progress struct {
	s     *Server
	ctx   context.Context
	title string

	mu    sync.Mutex
	begun time.Time
	last  time.Time
	token string // once the client has it
	asked bool
}

const (
	// showAfter is how long a check takes before it is shown.
	showAfter = 300 * time.Millisecond
	// showEach is the time between two reports.
	showEach = 200 * time.Millisecond
)

func (s *Server) newProgress(ctx context.Context, title string) *progress {
	return &progress{s: s, ctx: ctx, title: title, begun: time.Now()}
}

// report says that so many of all packages are done.
func (p *progress) report(done, all int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Sub(p.begun) < showAfter || now.Sub(p.last) < showEach {
		return
	}
	p.last = now
	if !p.asked {
		p.asked = true
		p.ask()
	}
	if p.token != "" {
		percentage := done * 100 / max(all, 1)
		p.send(progressValue{Kind: "report", Message: fmt.Sprintf("%d of %d packages", done, all), Percentage: &percentage})
	}
}

// ask makes a token and begins to report once the client has taken it.
func (p *progress) ask() {
	s := p.s
	s.mu.Lock()
	can := s.client.Window.WorkDoneProgress
	s.tokens++
	token := "pgtxvet-" + strconv.Itoa(s.tokens)
	s.mu.Unlock()
	if !can {
		return
	}
	s.async(func() {
		if s.conn.Call(p.ctx, "window/workDoneProgress/create", progressToken{token}, nil) != nil {
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.ctx.Err() != nil || p.last.IsZero() {
			return // it is over
		}
		cancellable, zero := true, 0
		p.token = token
		p.send(progressValue{Kind: "begin", Title: "pgtxvet: " + p.title, Cancellable: &cancellable, Percentage: &zero})
	})
}

// end says that the check is over.
func (p *progress) end(report *session.Report, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = time.Time{}
	p.asked = true
	if p.token == "" {
		return
	}
	message := "cancelled"
	if err == nil {
		message = fmt.Sprintf("%d findings", len(report.Findings))
	}
	p.send(progressValue{Kind: "end", Message: message})
	p.token = ""
}

func (p *progress) send(v progressValue) {
	p.s.notify("$/progress", progressParams{Token: p.token, Value: v})
}
