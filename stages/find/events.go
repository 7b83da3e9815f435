package find

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/sourcegraph/conc/iter"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages/run"
)

// Activity is what hour files say of one repository.
type Activity struct {
	Months map[string]int `json:"months"` // review comments by people, by month: 2026-03
}

// Comments is how many review comments by people there are in all months.
func (a Activity) Comments() int {
	n := 0
	for _, m := range a.Months {
		n += m
	}
	return n
}

// Counted is what hour files hold.
type Counted struct {
	Events int                 `json:"events"`
	Broken int                 `json:"broken"` // lines that are no event
	Repos  map[string]Activity `json:"repos"`  // by OWNER/NAME, those with a comment by people
	Bots   int                 `json:"bots"`   // review comments by automation
}

// maxLine is the longest line of an hour file that is read; GH Archive's own are below 1 MB.
const maxLine = 16 << 20

// wanted is what a line of a review comment holds; the others are not decoded.
var wanted = []byte(`PullRequestReviewCommentEvent`)

// Events counts the review comments by people in hour files of GH Archive, a repository
// and month: JSON lines, compressed by gzip. Each file that was counted is kept in the
// state, and not read again while its size and time are what they were.
func Events(ctx context.Context, s *run.Session, files []string) (*Counted, error) {
	s.Progress.Phase("hour files", len(files))
	mapper := iter.Mapper[string, result]{MaxGoroutines: max(1, s.Workers)}
	out := &Counted{Repos: map[string]Activity{}}
	for _, r := range mapper.Map(files, func(path *string) result {
		one, err := countKept(ctx, s, *path)
		if err == nil {
			s.Progress.Done(*path, fmt.Sprintf("%d events, %d repositories with review comments", one.Events, len(one.Repos)))
		}
		return result{one, err}
	}) {
		if r.err != nil {
			return nil, r.err
		}
		out.add(r.Counted)
	}
	return out, nil
}

type result struct {
	*Counted
	err error
}

func (c *Counted) add(o *Counted) {
	c.Events, c.Broken, c.Bots = c.Events+o.Events, c.Broken+o.Broken, c.Bots+o.Bots
	for repo, a := range o.Repos {
		into, ok := c.Repos[repo]
		if !ok {
			into = Activity{Months: map[string]int{}}
			c.Repos[repo] = into
		}
		for month, n := range a.Months {
			into.Months[month] += n
		}
	}
}

func countKept(ctx context.Context, s *run.Session, path string) (*Counted, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintf("events\n%s\n%d\n%s", path, info.Size(), info.ModTime().UTC().Format(time.RFC3339Nano))
	return collectors.Kept(s.Collector, key, func() (*Counted, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		one, err := count(ctx, f, func(login string) bool {
			_, bot := s.Registry.Bot(model.Account{Login: login, Type: model.User})
			return bot
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return one, nil
	})
}

// event is what is read of a line.
type event struct {
	Type  string `json:"type"`
	Actor struct {
		Login string `json:"login"`
	} `json:"actor"`
	Repo struct {
		Name string `json:"name"`
	} `json:"repo"`
	CreatedAt time.Time `json:"created_at"`
}

func count(ctx context.Context, in io.Reader, isBot func(login string) bool) (*Counted, error) {
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	out := &Counted{Repos: map[string]Activity{}}
	lines := bufio.NewScanner(z)
	lines.Buffer(make([]byte, 1<<20), maxLine)
	for lines.Scan() {
		if out.Events++; out.Events%(1<<16) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !bytes.Contains(lines.Bytes(), wanted) {
			continue
		}
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			out.Broken++
			continue
		}
		if e.Type != string(wanted) { // a title or text speaks of it
			continue
		}
		ref, err := model.ParseRepoRef(e.Repo.Name)
		switch {
		case err != nil || e.CreatedAt.IsZero():
			out.Broken++
		case isBot(e.Actor.Login):
			out.Bots++
		default:
			a, ok := out.Repos[ref.String()]
			if !ok {
				a = Activity{Months: map[string]int{}}
				out.Repos[ref.String()] = a
			}
			a.Months[e.CreatedAt.UTC().Format("2006-01")]++
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d is longer than %d MB", out.Events+1, maxLine>>20)
	} else if err != nil {
		return nil, err
	}
	return out, nil
}
