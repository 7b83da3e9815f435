package github

import (
	"fmt"
	"reflect"

	"github.com/shurcooL/githubv4"
)

// The connections of a pull request and of a thread.
var (
	labelsOf         = kind{name: listLabels, on: "PullRequest", field: "labels"}
	filesOf          = kind{name: listFiles, on: "PullRequest", field: "files"}
	reviewsOf        = kind{name: listReviews, on: "PullRequest", field: "reviews"}
	threadsOf        = kind{name: listThreads, on: "PullRequest", field: "reviewThreads"}
	commentsOf       = kind{name: listComments, on: "PullRequest", field: "comments"}
	historyOf        = kind{name: listHistory, on: "PullRequest", field: "timelineItems", args: "," + timelineTypes}
	threadCommentsOf = kind{name: listThreadComments, on: "PullRequestReviewThread", field: "comments"}
)

// moreQuery requests a page of several lists at once, of any pull requests and threads: nN is the list at index N.
// Their number and kinds vary, so the type is built at run time.
type moreQuery struct {
	value reflect.Value
	vars  map[string]any
}

func newMoreQuery(lists []*unfinished, items int) moreQuery {
	fields := []reflect.StructField{{Name: "RateLimit", Type: reflect.TypeFor[charged]()}}
	vars := map[string]any{"items": githubv4.Int(items)}
	for i, l := range lists {
		vars[fmt.Sprintf("i%d", i)] = githubv4.ID(l.id)
		vars[fmt.Sprintf("a%d", i)] = (*githubv4.String)(l.cursor())
		connection := reflect.StructOf([]reflect.StructField{{
			Name: "Page", Type: l.page,
			Tag: tag(`page: %s(first:$items,after:$a%d%s)`, l.kind.field, i, l.kind.args),
		}})
		node := reflect.StructOf([]reflect.StructField{{Name: "On", Type: connection, Tag: tag(`... on %s`, l.kind.on)}})
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("N%d", i), Type: reflect.PointerTo(node), Tag: tag(`n%d: node(id:$i%d)`, i, i),
		})
	}
	return moreQuery{value: reflect.New(reflect.StructOf(fields)), vars: vars}
}

// tag is a field's GraphQL.
func tag(format string, args ...any) reflect.StructTag {
	return reflect.StructTag(`graphql:"` + fmt.Sprintf(format, args...) + `"`)
}

// page is the page of the list at index i; invalid if the node is null.
func (q moreQuery) page(i int) reflect.Value {
	node := q.value.Elem().FieldByName(fmt.Sprintf("N%d", i))
	if node.IsNil() {
		return reflect.Value{}
	}
	return node.Elem().Field(0).Field(0)
}
