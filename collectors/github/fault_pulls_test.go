package github

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

func TestFault28LongListsAreContinued(t *testing.T) {
	want := truth(t)
	h := newHub(t, small(), tamper{})
	facts, _ := h.collect(t)
	same(t, facts, want)
	first := fromJSON(t, want[1])
	if len(first.Files) != 12 || len(first.Threads) != 12 || len(first.Reviews) != 32 || len(first.Comments) != 13 || len(first.Labels) != 4 || len(first.Incomplete) != 0 {
		t.Errorf("%d files, %d threads, %d reviews, %d comments, %d labels, incomplete %v", len(first.Files), len(first.Threads),
			len(first.Reviews), len(first.Comments), len(first.Labels), first.Incomplete)
	}
	for _, size := range []int{1, 2, 7} {
		o := small()
		o.Pulls, o.Threads, o.Items, o.Lists = size, size, size, size
		facts, _ := newHub(t, o, tamper{}).collect(t)
		same(t, facts, want)
	}
}

func TestFault06PagesShrinkAndGrowBack(t *testing.T) {
	want := truth(t)
	trouble := true
	sizes := []int{}
	h := newHub(t, small(), tamper{request: func(query string, vars map[string]any) int {
		if !isDetails(query) {
			return 0
		}
		n := len(ids(vars))
		sizes = append(sizes, n)
		if trouble && n > 1 {
			return 502
		}
		trouble = len(sizes) < 4
		return 0
	}})
	facts, failed := h.collect(t)
	same(t, facts, want)
	if len(failed) > 0 {
		t.Error(failed)
	}
	if !slices.Equal(sizes[:3], []int{4, 2, 1}) || slices.Max(sizes[3:]) < 2 {
		t.Errorf("pages of %v", sizes)
	}
}

func TestFault06ThreadPagesShrink(t *testing.T) {
	want := truth(t)
	h := newHub(t, small(), tamper{request: func(query string, vars map[string]any) int {
		if isThreads(query) && len(ids(vars)) > 2 || isMore(query) && vars["i1"] != nil {
			return 504
		}
		return 0
	}})
	facts, _ := h.collect(t)
	same(t, facts, want)
}

func TestFault20AllNodesNull(t *testing.T) {
	want := truth(t)
	h := newHub(t, small(), tamper{answer: func(query string, vars map[string]any) change {
		if !isDetails(query) || len(ids(vars)) < 3 {
			return nil
		}
		return func(answer map[string]any) {
			nodes := at(answer, "data", "nodes").([]any)
			var found []any
			for i := range nodes {
				nodes[i] = nil
				found = append(found, map[string]any{"type": "RESOURCE_LIMITS_EXCEEDED", "path": []any{"nodes", i}, "message": "Resource limits for this query exceeded."})
			}
			answer["errors"] = found
		}
	}})
	facts, failed := h.collect(t)
	same(t, facts, want)
	if len(failed) > 0 {
		t.Error(failed)
	}
}

func TestFault20ResourceLimitsWithinANode(t *testing.T) {
	want := truth(t)
	first := once()
	h := newHub(t, small(), tamper{answer: func(query string, vars map[string]any) change {
		if !isDetails(query) || !first() {
			return nil
		}
		return func(answer map[string]any) {
			at(answer, "data", "nodes", 0).(map[string]any)["files"] = nil
			answer["errors"] = []any{map[string]any{"type": "RESOURCE_LIMITS_EXCEEDED", "path": []any{"nodes", 0, "files"}, "message": "Resource limits for this query exceeded."}}
		}
	}})
	facts, _ := h.collect(t)
	same(t, facts, want)
}

// nodeOf is the place of a pull request among the ids asked for, or -1.
func nodeOf(vars map[string]any, id string) int { return slices.Index(ids(vars), id) }

// idOfPull is the node id of a pull request of the widget.
func idOfPull(t *testing.T, number int) string {
	t.Helper()
	got := newHub(t, DefaultOptions(), tamper{}).survey(t, Want{Ref: widgetRef, Since: longAgo})
	for _, s := range got.Census.Pulls {
		if s.Number == number {
			return s.NodeID
		}
	}
	t.Fatal("no such pull request")
	return ""
}

func TestFault21OneNullNode(t *testing.T) {
	want, id := truth(t), idOfPull(t, 5)
	nullAlways := func(kind string, times int) tamper {
		return tamper{answer: func(query string, vars map[string]any) change {
			i := nodeOf(vars, id)
			if !isDetails(query) || i < 0 || times == 0 {
				return nil
			}
			times--
			return func(answer map[string]any) {
				at(answer, "data", "nodes").([]any)[i] = nil
				e := map[string]any{"path": []any{"nodes", i}, "message": "Something went wrong while executing your query."}
				if kind != "" {
					e["type"] = kind
				}
				answer["errors"] = []any{e}
			}
		}}
	}
	t.Run("once", func(t *testing.T) {
		facts, failed := newHub(t, small(), nullAlways("", 1)).collect(t)
		same(t, facts, want)
		if len(failed) > 0 {
			t.Error(failed)
		}
	})
	for kind, is := range map[string]error{"": ghapi.ErrNotAvailable, "NOT_FOUND": ghapi.ErrNotFound, "FORBIDDEN": ghapi.ErrForbidden} {
		t.Run("always "+kind, func(t *testing.T) {
			facts, failed := newHub(t, small(), nullAlways(kind, -1)).collect(t)
			same(t, facts, want, 5)
			if len(failed) != 1 || !errors.Is(failed[5], is) {
				t.Errorf("failed: %v, want 5 with %v", failed, is)
			}
		})
	}
}

func TestFault22PoisonedPullIsQuarantined(t *testing.T) {
	want, id := truth(t), idOfPull(t, 5)
	h := newHub(t, small(), tamper{request: func(query string, vars map[string]any) int {
		if isDetails(query) && nodeOf(vars, id) >= 0 {
			return 502
		}
		return 0
	}})
	facts, failed := h.collect(t)
	same(t, facts, want, 5)
	if len(failed) != 1 || !errors.Is(failed[5], ghapi.ErrTimeout) {
		t.Errorf("failed: %v", failed)
	}
}

func TestFault22PullThatNeedsShortLists(t *testing.T) {
	want, id := truth(t), idOfPull(t, 1)
	h := newHub(t, small(), tamper{request: func(query string, vars map[string]any) int {
		if isDetails(query) && nodeOf(vars, id) >= 0 && vars["items"].(float64) > 1 {
			return 502
		}
		return 0
	}})
	facts, failed := h.collect(t)
	same(t, facts, want)
	if len(failed) > 0 {
		t.Error(failed)
	}
}

func TestFault22PoisonedThreadFailsItsPull(t *testing.T) {
	want := truth(t)
	bad := fromJSON(t, want[1]).Threads[3].NodeID
	h := newHub(t, small(), tamper{request: func(query string, vars map[string]any) int {
		if isThreads(query) && nodeOf(vars, bad) >= 0 {
			return 502
		}
		for name, v := range vars {
			if isMore(query) && strings.HasPrefix(name, "i") && v == bad {
				return 502
			}
		}
		return 0
	}})
	facts, failed := h.collect(t)
	same(t, facts, want, 1)
	if len(failed) != 1 || !errors.Is(failed[1], ghapi.ErrTimeout) {
		t.Errorf("failed: %v", failed)
	}
}

// A thread that was deleted since its pull request was read is GitHub's answer.
func TestFault22DeletedThreadLeavesANamedGap(t *testing.T) {
	want := truth(t)
	bad := fromJSON(t, want[1]).Threads[3].NodeID
	for kind, gap := range map[string]bool{"NOT_FOUND": true, "": false} {
		h := newHub(t, small(), tamper{answer: func(query string, vars map[string]any) change {
			return func(answer map[string]any) {
				name, path := "", []any(nil)
				for i := range ids(vars) {
					if isThreads(query) && ids(vars)[i] == bad {
						at(answer, "data", "nodes").([]any)[i], path = nil, []any{"nodes", i}
					}
				}
				for v := range vars {
					if isMore(query) && strings.HasPrefix(v, "i") && vars[v] == bad {
						name = "n" + v[1:]
						answer["data"].(map[string]any)[name], path = nil, []any{name}
					}
				}
				if path != nil {
					answer["errors"] = []any{map[string]any{"type": kind, "path": path, "message": "Could not resolve to a node."}}
				}
			}
		}})
		facts, failed := h.collect(t)
		same(t, facts, want, 1)
		if !gap {
			if !errors.Is(failed[1], ghapi.ErrNotAvailable) {
				t.Errorf("failed: %v", failed)
			}
			continue
		}
		if p := fromJSON(t, facts[1]); len(failed) > 0 || !slices.Equal(p.Incomplete, []string{listThreadComments}) || len(p.Threads) != 12 {
			t.Errorf("failed %v, %d threads, incomplete %v", failed, len(p.Threads), p.Incomplete)
		}
	}
}

func TestFault24ForbiddenFieldIsNamed(t *testing.T) {
	want, id := truth(t), idOfPull(t, 5)
	h := newHub(t, small(), tamper{answer: func(query string, vars map[string]any) change {
		i := nodeOf(vars, id)
		if i < 0 || !isDetails(query) {
			return nil
		}
		return func(answer map[string]any) {
			at(answer, "data", "nodes", i).(map[string]any)["mergedBy"] = nil
			answer["errors"] = []any{map[string]any{"type": "FORBIDDEN", "path": []any{"nodes", i, "mergedBy"}, "extensions": map[string]any{"saml_failure": true}, "message": "Resource protected by organization SAML enforcement."}}
		}
	}})
	facts, failed := h.collect(t)
	same(t, facts, want, 5)
	p := fromJSON(t, facts[5])
	if len(failed) > 0 || !slices.Equal(p.Incomplete, []string{"field_mergedBy"}) || len(p.Threads) != 1 {
		t.Errorf("failed %v, incomplete %v", failed, p.Incomplete)
	}
}

func TestFault26HasNextPageFalseTooEarly(t *testing.T) {
	want := truth(t)
	h := newHub(t, small(), tamper{answer: func(string, map[string]any) change {
		return func(answer map[string]any) {
			each(answer, func(m map[string]any) {
				if m["hasNextPage"] != nil && m["endCursor"] != nil {
					m["hasNextPage"] = false
				}
			})
		}
	}})
	facts, _ := h.collect(t)
	same(t, facts, want)
}

func TestFault26CursorsThatLeadNowhereEnd(t *testing.T) {
	for name, cursor := range map[string]any{"null": nil, "the same": "Y3Vyc29yOnYyOjA="} {
		t.Run(name, func(t *testing.T) {
			want := truth(t)
			// The census is left alone, the lists of pull requests are not.
			h := newHub(t, small(), tamper{answer: func(query string, _ map[string]any) change {
				if !isDetails(query) && !isMore(query) {
					return nil
				}
				return func(answer map[string]any) {
					each(answer, func(m map[string]any) {
						if m["hasNextPage"] == true {
							m["endCursor"] = cursor
						}
					})
				}
			}})
			facts, failed := h.collect(t)
			same(t, facts, want, 1)
			if p := fromJSON(t, facts[1]); len(failed) > 0 || !slices.Contains(p.Incomplete, listFiles) || !slices.Contains(p.Incomplete, listThreads) {
				t.Errorf("failed %v, incomplete %v", failed, p.Incomplete)
			}
		})
	}
}

func TestFault26TooManyCountedIsNoted(t *testing.T) {
	h := newHub(t, small(), tamper{answer: func(query string, _ map[string]any) change {
		return func(answer map[string]any) {
			each(answer, func(m map[string]any) {
				if reviews, ok := m["reviews"].(map[string]any); ok {
					reviews["totalCount"] = 99.0
				}
				if page, ok := m["page"].(map[string]any); ok && m["page"] != nil {
					page["totalCount"] = 99.0
				}
			})
		}
	}})
	facts, _ := h.collect(t)
	if p := fromJSON(t, facts[5]); !slices.Contains(p.Incomplete, listReviews) || len(p.Reviews) != 1 {
		t.Errorf("%d reviews, incomplete %v", len(p.Reviews), p.Incomplete)
	}
}

func TestFault52FilesThatGitHubDoesNotList(t *testing.T) {
	h := newHub(t, DefaultOptions(), tamper{answer: func(query string, _ map[string]any) change {
		return func(answer map[string]any) {
			each(answer, func(m map[string]any) {
				if m["changedFiles"] != nil {
					m["changedFiles"] = 3001.0
				}
			})
		}
	}})
	facts, _ := h.collect(t)
	if p := fromJSON(t, facts[5]); !slices.Equal(p.Incomplete, []string{listFiles}) {
		t.Errorf("incomplete %v", p.Incomplete)
	}
}

func TestFault63DismissedReviewKeepsItsFormerState(t *testing.T) {
	p := fromJSON(t, truth(t)[1])
	for _, r := range p.Reviews {
		if r.State == model.Dismissed {
			if p.Dismissed[r.NodeID] != model.ChangesRequested {
				t.Errorf("dismissed: %v", p.Dismissed)
			}
			return
		}
	}
	t.Error("no dismissed review")
}

func TestRun_Canceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	h := newHub(t, small(), tamper{})
	list := asks(h.survey(t, Want{Ref: widgetRef, Since: longAgo}).Census)
	got := 0
	for _, err := range h.client.Pulls(ctx, list) {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error is %v", err)
			}
			return
		}
		got++
		cancel()
	}
	t.Errorf("%d came and no error", got)
}

func TestFault20NullItemOfAList(t *testing.T) {
	null := func(always bool) tamper {
		first := once()
		return tamper{answer: func(query string, vars map[string]any) change {
			if !isDetails(query) && !isMore(query) || !always && !first() {
				return nil
			}
			return func(answer map[string]any) {
				each(answer, func(m map[string]any) {
					for _, name := range []string{"reviews", "page"} {
						if nodes, ok := at(m, name, "nodes").([]any); ok && len(nodes) == 1 && at(nodes[0], "submittedAt") != nil {
							nodes[0] = nil
						}
					}
				})
			}
		}}
	}
	want := truth(t)
	facts, _ := newHub(t, DefaultOptions(), null(false)).collect(t)
	same(t, facts, want)
	facts, _ = newHub(t, DefaultOptions(), null(true)).collect(t)
	if p := fromJSON(t, facts[5]); !slices.Equal(p.Incomplete, []string{listReviews}) {
		t.Errorf("incomplete %v", p.Incomplete)
	}
}
