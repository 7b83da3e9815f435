package github

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

func TestFault25And29And30RepositoriesOfAllKinds(t *testing.T) {
	ref := func(name string) Want {
		return Want{Ref: model.RepoRef{Owner: "acme", Name: name}, Since: longAgo}
	}
	renamed := Want{Ref: model.RepoRef{Owner: "old", Name: "widget"}, Since: longAgo}
	wants := []Want{ref("widget"), renamed, ref("shelf"), ref("void"), ref("secret"), ref("nosuch"), ref("dmca")}
	h := newHub(t, small(), tamper{})
	got := map[string]Surveyed{}
	for s, err := range h.client.Survey(context.Background(), wants) {
		if err != nil {
			t.Fatal(err)
		}
		got[s.Want.Ref.String()] = s
	}
	for name, kind := range map[string]error{"acme/secret": ghapi.ErrNotFound, "acme/nosuch": ghapi.ErrNotFound, "acme/dmca": ghapi.ErrBlocked} {
		if s := got[name]; !errors.Is(s.Err, kind) || s.Repository != nil || !strings.Contains(s.Err.Error(), name) {
			t.Errorf("%s: error is %v, want %v", name, s.Err, kind)
		}
	}
	var blocked *ghapi.Error
	if err := got["acme/dmca"].Err; !errors.As(err, &blocked) || blocked.Reason != "dmca" || blocked.Status != 451 {
		t.Errorf("acme/dmca: %v", err)
	}
	if r := got["old/widget"].Repository; r == nil || r.Ref != widgetRef || r.Asked != renamed.Ref {
		t.Errorf("renamed repository is %+v", r)
	}
	if s := got["acme/void"]; s.Repository == nil || !s.Repository.IsEmpty || s.Repository.DefaultBranch != "" || !s.Census.Complete || len(s.Census.Pulls) != 0 {
		t.Errorf("empty repository is %+v, %+v", s.Repository, s.Census)
	}
	if r := got["acme/shelf"].Repository; r == nil || !r.IsArchived {
		t.Errorf("archived repository is %+v", r)
	}
	if s := got["acme/widget"]; s.Repository.Stars != 12 || s.Repository.SPDX != "MIT" || len(s.Census.Pulls) != 9 || s.Census.Pulls[0].Number != 9 {
		t.Errorf("widget is %+v, %+v", s.Repository, s.Census)
	}
	if stats := h.api.Stats(); stats.REST != 1 {
		t.Errorf("%d REST requests, want 1, for the reason of the block", stats.REST)
	}
}

func TestFault06SurveyShrinks(t *testing.T) {
	h := newHub(t, small(), tamper{request: func(query string, vars map[string]any) int {
		if vars["o1"] != nil || vars["per"].(float64) > 1 {
			return 502
		}
		return 0
	}})
	s := h.survey(t, Want{Ref: widgetRef, Since: longAgo})
	if s.Err != nil || !s.Census.Complete || len(s.Census.Pulls) != 9 {
		t.Errorf("%v, %+v", s.Err, s.Census)
	}
}

func TestFault20MissingPartsOfASurvey(t *testing.T) {
	for name, drop := range map[string]func(data map[string]any){
		"the repository": func(data map[string]any) { data["r0"] = nil },
		"the census":     func(data map[string]any) { data["p0"] = nil },
		"a pull request": func(data map[string]any) {
			at(data, "p0", "pullRequests", "nodes").([]any)[1] = nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			first := once()
			h := newHub(t, small(), tamper{answer: func(string, map[string]any) change {
				if !first() {
					return nil
				}
				return func(answer map[string]any) { drop(answer["data"].(map[string]any)) }
			}})
			s := h.survey(t, Want{Ref: widgetRef, Since: longAgo})
			if s.Err != nil || !s.Census.Complete || len(s.Census.Pulls) != 9 {
				t.Errorf("%v, %+v", s.Err, s.Census)
			}
		})
	}
	t.Run("always", func(t *testing.T) {
		h := newHub(t, small(), tamper{answer: func(string, map[string]any) change {
			return func(answer map[string]any) { answer["data"].(map[string]any)["p0"] = nil }
		}})
		if s := h.survey(t, Want{Ref: widgetRef, Since: longAgo}); !errors.Is(s.Err, ghapi.ErrNotAvailable) {
			t.Errorf("error is %v", s.Err)
		}
	})
}

func TestFault26CensusCursorsEnd(t *testing.T) {
	for name, cursor := range map[string]any{"null": nil, "the same": "Y3Vyc29yOnYyOjA="} {
		t.Run(name, func(t *testing.T) {
			h := newHub(t, small(), tamper{answer: func(string, map[string]any) change {
				return func(answer map[string]any) {
					each(answer, func(m map[string]any) {
						if m["endCursor"] != nil {
							m["endCursor"] = cursor
						}
					})
				}
			}})
			if s := h.survey(t, Want{Ref: widgetRef, Since: longAgo}); s.Err != nil || s.Census.Complete || s.Census.Note == "" {
				t.Errorf("%v, %+v", s.Err, s.Census)
			}
		})
	}
}

// shelf is a repository whose pull requests change while they are listed.
type shelf struct {
	rng   *rand.Rand
	clock time.Time
	pulls map[int]*model.PullSummary
}

func (s *shelf) tick() time.Time { s.clock = s.clock.Add(time.Second); return s.clock }

// change updates, merges or adds a pull request.
func (s *shelf) change() {
	n := 1 + s.rng.IntN(len(s.pulls)+2)
	p := s.pulls[n]
	if p == nil {
		n = len(s.pulls) + 1
		p = &model.PullSummary{Number: n, NodeID: fmt.Sprint("PR_", n), State: model.Open, CreatedAt: s.tick()}
		s.pulls[n] = p
	}
	p.UpdatedAt = s.tick()
	if p.State == model.Open && s.rng.IntN(2) == 0 {
		at := p.UpdatedAt
		p.State, p.ClosedAt, p.MergedAt = model.Merged, &at, &at
	}
}

// list answers as GitHub does: the cursor is a place in the order by update.
func (s *shelf) list(cursor *string, per int) *censusPage {
	var all []*model.PullSummary
	for _, p := range s.pulls {
		if p.State != model.Open {
			all = append(all, p)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].UpdatedAt.After(all[j].UpdatedAt) })
	page := &censusPage{TotalCount: len(all)}
	for _, p := range all {
		if cursor != nil && p.UpdatedAt.Format(time.RFC3339) >= *cursor {
			continue
		}
		if len(page.Nodes) == per {
			page.PageInfo.HasNextPage = true
			break
		}
		page.Nodes = append(page.Nodes, &censusNode{
			ID: p.NodeID, Number: p.Number, State: p.State, CreatedAt: timestamp{p.CreatedAt}, UpdatedAt: timestamp{p.UpdatedAt},
			MergedAt: &timestamp{*p.MergedAt}, ClosedAt: &timestamp{*p.ClosedAt},
		})
		end := p.UpdatedAt.Format(time.RFC3339)
		page.PageInfo.EndCursor = &end
	}
	return page
}

// take runs a census of the shelf, which changes up to changes times a page.
func (s *shelf) take(p *censusPass, per, changes int) *model.Census {
	for range 1000 {
		done := p.add(s.list(p.cursor, per))
		if done {
			break
		}
		for range s.rng.IntN(changes + 1) {
			s.change()
		}
	}
	return p.census()
}

// TestFault27NothingIsLostWhileTheListMoves changes a repository under a census:
// whatever was merged before it began must be in it, and a complete one is up to
// date as well.
func TestFault27NothingIsLostWhileTheListMoves(t *testing.T) {
	complete := 0
	for seed := range uint64(300) {
		s := &shelf{rng: rand.New(rand.NewPCG(seed, 1)), clock: longAgo, pulls: map[int]*model.PullSummary{}}
		for range 60 {
			s.change()
		}
		since := longAgo.Add(time.Duration(s.rng.IntN(100)) * time.Second)
		var known *model.Census
		for round := range 3 { // the second and third bring the first up to date
			must := s.merged(since)
			got := s.take(newCensusPass(since, known, 5), 3+s.rng.IntN(5), 2*round)
			if got.Complete {
				complete++
				for n := range must {
					if !has(got, n) {
						t.Fatalf("seed %d, round %d: pull request %d is missing", seed, round, n)
					}
				}
			}
			known = got
			for range s.rng.IntN(20) {
				s.change()
			}
		}
	}
	if complete < 500 {
		t.Errorf("only %d of 900 censuses are complete", complete)
	}
}

// merged are the numbers merged since a timestamp.
func (s *shelf) merged(since time.Time) map[int]bool {
	out := map[int]bool{}
	for n, p := range s.pulls {
		if p.MergedAt != nil && !p.MergedAt.Before(since) {
			out[n] = true
		}
	}
	return out
}

func has(c *model.Census, number int) bool {
	for _, p := range c.Pulls {
		if p.Number == number {
			return true
		}
	}
	return false
}

func TestRefresh_AsksOnlyForChanges(t *testing.T) {
	h := newHub(t, small(), tamper{})
	first := h.survey(t, Want{Ref: widgetRef, Since: longAgo})
	before := h.api.Stats().GraphQL
	again := h.survey(t, Want{Ref: widgetRef, Since: longAgo, Known: first.Census})
	if asked := h.api.Stats().GraphQL - before; asked != 1 {
		t.Errorf("the refresh took %d requests, want 1", asked)
	}
	if a, b := toJSON(t, first.Census), toJSON(t, again.Census); a != b {
		t.Errorf("the refreshed census is\n%s\nwant\n%s", b, a)
	}
	before = h.api.Stats().GraphQL
	latest, err := h.client.Changed(context.Background(), []string{first.Repository.NodeID, "R_nosuch"})
	if err != nil || len(latest) != 2 {
		t.Fatalf("%v, %v", latest, err)
	}
	if latest[0].UpdatedAt == nil || !latest[0].UpdatedAt.Equal(*first.Census.Newest) || latest[0].Repository.Ref != widgetRef {
		t.Errorf("latest is %+v, want the census's newest, %v", latest[0], first.Census.Newest)
	}
	if !errors.Is(latest[1].Err, ghapi.ErrNotFound) {
		t.Errorf("error is %v", latest[1].Err)
	}
	if asked := h.api.Stats().GraphQL - before; asked != 1 {
		t.Errorf("asking what changed took %d requests, want 1", asked)
	}
}

func TestSurvey_WithoutCensus(t *testing.T) {
	for got, err := range newHub(t, small(), tamper{}).client.Survey(context.Background(), []Want{{Ref: widgetRef}}) {
		if r := got.Repository; err != nil || r.Ref != widgetRef || r.NodeID == "" {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

// TestFault27SameSecond has a pull request merged in the very second of the
// newest update that is known.
func TestFault27SameSecond(t *testing.T) {
	at := longAgo.Add(time.Hour)
	node := func(n int) *censusNode {
		return &censusNode{ID: fmt.Sprint(n), Number: n, State: model.Merged, UpdatedAt: timestamp{at}, MergedAt: &timestamp{at}, ClosedAt: &timestamp{at}}
	}
	p := newCensusPass(longAgo, &model.Census{Since: longAgo, Complete: true, Newest: &at}, 5)
	page := &censusPage{TotalCount: 2, Nodes: []*censusNode{node(1)}}
	page.PageInfo.HasNextPage, page.PageInfo.EndCursor = true, new(string)
	if p.add(page) {
		t.Fatal("it ended within the second")
	}
	p.add(&censusPage{TotalCount: 2, Nodes: []*censusNode{node(2)}})
	if c := p.census(); !has(c, 2) {
		t.Errorf("%+v", c)
	}
}
