package github

import (
	"reflect"
	"slices"

	"github.com/prforge/prforge/internal/model"
)

// job is one pull request on its way.
type job struct {
	ask     PullAsk
	pull    *model.PullRequest // nil until its details are here
	waiting int                // threads, lists and histories still to come
	history bool               // its history was asked for
	tries   int
	alone   bool // request it alone: it failed within a page
	err     error
}

// batch is one call of Pulls.
type batch struct {
	c       *Client
	queue   []*job // details to be asked for
	open    []*job // details here, comments to come
	threads []threadJob
	lists   []*unfinished
	history []historyJob // pull requests and comments whose history is to be asked for
}

// unfinished is a list of which a page is to be asked for.
type unfinished struct {
	job      *job
	kind     kind
	id       string       // node id of whatever has the list
	page     reflect.Type // *page[T]
	size     int          // items a page
	troubles int          // how often its part of an answer was missing
	cursor   func() *string
	take     func(page reflect.Value) step // an invalid value is no page
	finish   func()
}

// kind is a connection that may be longer than a page.
type kind struct {
	name  string // in PullRequest.Incomplete
	on    string // the GraphQL type that has it
	field string // its name, with any arguments but first and after
	args  string
}

// threadJob is a thread whose comments are to be asked for.
type threadJob struct {
	job   *job
	index int // in job.pull.Threads
}

func (t threadJob) thread() *model.Thread { return &t.job.pull.Threads[t.index] }

// historyJob is a pull request (comment is -1) or one of its comments whose history is needed.
type historyJob struct {
	job             *job
	id              string
	thread, comment int
	troubles        int // how often its part of an answer was missing
}

// fail gives up a pull request that has no details yet.
func (g *batch) fail(j *job, err error) {
	j.err = err
	g.open = append(g.open, j)
}

// giveUp gives up an open pull request with all its pending requests.
func (g *batch) giveUp(j *job, err error) {
	j.err = err
	g.threads = slices.DeleteFunc(g.threads, func(t threadJob) bool { return t.job == j })
	g.lists = slices.DeleteFunc(g.lists, func(l *unfinished) bool { return l.job == j })
	g.history = slices.DeleteFunc(g.history, func(h historyJob) bool { return h.job == j })
}
