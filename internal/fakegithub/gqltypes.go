package fakegithub

import (
	"encoding/base64"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// gfield is a field of a GraphQL type. typ is the name of the type of its
// value, "" for a scalar; an abstract type is resolved by typeOf.
type gfield struct {
	typ  string
	list bool
	args []string
	get  func(c *call) (any, error)
}

// call is one field of one object.
type call struct {
	query *query
	obj   any
	args  map[string]any
}

func (c *call) text(name string) string {
	s, _ := c.args[name].(string)
	return s
}

// texts reads a list argument; a single value counts as a list of one.
func (c *call) texts(name string) []string {
	switch v := c.args[name].(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, x := range v {
			s, _ := x.(string)
			out = append(out, s)
		}
		return out
	}
	return nil
}

type fields map[string]gfield

// scalar is a field without fields of its own.
func scalar[T any](get func(T) any) gfield {
	return gfield{get: func(c *call) (any, error) { return get(c.obj.(T)), nil }}
}

// fixed is a scalar that is the same everywhere.
func fixed(value any) gfield {
	return gfield{get: func(*call) (any, error) { return value, nil }}
}

// object is a field whose value has fields.
func object[T any](typ string, get func(c *call, x T) any, args ...string) gfield {
	return gfield{typ: typ, args: args, get: func(c *call) (any, error) {
		x, _ := c.obj.(T) // the root has no object
		return get(c, x), nil
	}}
}

// connection is a field with pages.
func connection[T any](node string, get func(c *call, x T) []any, args ...string) gfield {
	return gfield{typ: node + "Connection", args: append(slices.Clone(pageArgs), args...),
		get: func(c *call) (any, error) {
			return paged(get(c, c.obj.(T)), c.args)
		}}
}

var pageArgs = []string{"first", "last", "after", "before"}

// page is one page of a connection.
type page struct {
	items    []any // on the page
	from     int   // index of the first of them
	total    int
	previous bool
	next     bool
}

// paged cuts a page out of a list by the connection's arguments.
func paged(items []any, args map[string]any) (*page, error) {
	from, to := 0, len(items)
	for name, edge := range map[string]*int{"after": &from, "before": &to} {
		cursor, ok := args[name].(string)
		if !ok {
			continue
		}
		i, err := cursorIndex(cursor)
		if err != nil {
			return nil, err
		}
		*edge = min(i, len(items))
		if name == "after" {
			*edge = min(i+1, len(items))
		}
	}
	to = max(from, to)
	if n, ok := number(args["first"]); ok {
		to = min(to, from+n)
	} else if n, ok := number(args["last"]); ok {
		from = max(from, to-n)
	}
	return &page{items: items[from:to], from: from, total: len(items), previous: from > 0, next: to < len(items)}, nil
}

func cursorOf(i int) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "cursor:v2:%d", i))
}

func cursorIndex(cursor string) (int, error) {
	var i int
	raw, err := base64.StdEncoding.DecodeString(cursor)
	if err == nil {
		_, err = fmt.Sscanf(string(raw), "cursor:v2:%d", &i)
	}
	if err != nil || i < 0 {
		return 0, &apiError{"INVALID_CURSOR_ARGUMENTS", fmt.Sprintf("`%s` does not appear to be a valid cursor.", cursor)}
	}
	return i, nil
}

// pageItem is a node with its cursor.
type pageItem struct {
	node   any
	cursor string
}

func connectionFields(node string) fields {
	ends := func(p *page, i int) any {
		if len(p.items) == 0 {
			return nil
		}
		return cursorOf(i)
	}
	f := fields{
		"totalCount": scalar(func(p *page) any { return p.total }),
		"nodes":      {typ: node, list: true, get: func(c *call) (any, error) { return c.obj.(*page).items, nil }},
		"edges": {typ: node + "Edge", list: true, get: func(c *call) (any, error) {
			p := c.obj.(*page)
			out := make([]any, len(p.items))
			for i, item := range p.items {
				out[i] = pageItem{item, cursorOf(p.from + i)}
			}
			return out, nil
		}},
		"pageInfo": object("PageInfo", func(_ *call, p *page) any {
			return map[string]any{
				"hasNextPage": p.next, "hasPreviousPage": p.previous,
				"startCursor": ends(p, p.from), "endCursor": ends(p, p.from+len(p.items)-1),
			}
		}),
	}
	if node == "SearchResultItem" {
		delete(f, "totalCount")
		f["issueCount"] = scalar(func(p *page) any { return p.total })
		f["repositoryCount"] = scalar(func(p *page) any { return p.total })
	}
	return f
}

func edgeFields(node string) fields {
	return fields{
		"node":   object(node, func(_ *call, e pageItem) any { return e.node }),
		"cursor": scalar(func(e pageItem) any { return e.cursor }),
	}
}

// keyed is a type whose objects are maps from field to value.
func keyed(names ...string) fields {
	f := fields{}
	for _, name := range names {
		f[name] = scalar(func(m map[string]any) any { return m[name] })
	}
	return f
}

func isNil(v any) bool {
	if v == nil {
		return true
	}
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}

// stamp is a time as GitHub writes it, nil for none.
func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339)
}

// orNil is nil for an empty text.
func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func anyList[T any](items []T) []any {
	out := make([]any, len(items))
	for i, x := range items {
		out[i] = x
	}
	return out
}

// query is one document on its way through checking and execution.
type query struct {
	site      *site
	operation *ast.OperationDefinition
	fragments ast.FragmentDefinitionList
	vars      map[string]any
	errs      []gqlError
	size      size
	limit     func(cost int) any // the rateLimit object
}

// size is what a query may cost, by GitHub's published formula: the requests
// needed to fill every connection, over 100, rounded, at least 1.
type size struct{ requests, nodes int }

func (s size) cost() int { return max(1, int(math.Round(float64(s.requests)/100))) }

// number reads an Int, which is an int64 in a query and a float64 in JSON.
func number(v any) (int, bool) {
	switch v := v.(type) {
	case int64:
		return int(v), true
	case float64:
		return int(v), true
	case int:
		return v, true
	}
	return 0, false
}

// pageLimit is the largest page of a connection.
const pageLimit = 100

// apiError is a field's failure; the field becomes null.
type apiError struct{ kind, message string }

func (e *apiError) Error() string { return e.message }

// gqlError is an error as GitHub writes it.
type gqlError struct {
	Type       string         `json:"type,omitempty"`
	Path       []any          `json:"path,omitempty"`
	Locations  []location     `json:"locations,omitempty"`
	Message    string         `json:"message"`
	Extensions map[string]any `json:"extensions,omitempty"`
}

type location struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// gqlRequest is the body of a GraphQL request.
type gqlRequest struct {
	Query         string         `json:"query"`
	Variables     map[string]any `json:"variables"`
	OperationName string         `json:"operationName"`
}
