package fakegithub

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// gqlAnswer is what a query came to.
type gqlAnswer struct {
	body  []byte
	cost  int // points
	nodes int // possible nodes; 0 when nothing was executed
}

// run parses, checks and executes a request.
func (s *site) run(req gqlRequest, limit func(cost int) any) gqlAnswer {
	q := &query{site: s, limit: limit}
	q.prepare(req)
	if len(q.errs) == 0 {
		q.check()
	}
	if len(q.errs) > 0 {
		return q.answer(nil)
	}
	var data bytes.Buffer
	q.object(&data, "Query", s, q.operation.SelectionSet, nil)
	return q.answer(data.Bytes())
}

func (q *query) answer(data []byte) gqlAnswer {
	out := struct {
		Data   json.RawMessage `json:"data,omitempty"`
		Errors []gqlError      `json:"errors,omitempty"`
	}{data, q.errs}
	answer := gqlAnswer{body: encode(out), cost: q.size.cost()}
	if data != nil {
		answer.nodes = q.size.nodes
	}
	return answer
}

// encode writes JSON without escaping markup, as GitHub does.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Errorf("encode an answer: %w", err)) // our own types: a bug
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// prepare finds the operation and fills in its variables.
func (q *query) prepare(req gqlRequest) {
	doc, err := parser.ParseQuery(&ast.Source{Input: req.Query})
	if err != nil {
		q.errs = append(q.errs, gqlError{Message: "Parse error: " + err.Error()})
		return
	}
	q.fragments = doc.Fragments
	for _, op := range doc.Operations {
		if req.OperationName == "" || op.Name == req.OperationName {
			q.operation = op
			break
		}
	}
	if q.operation == nil {
		q.errs = append(q.errs, gqlError{Message: fmt.Sprintf("No operation named %q", req.OperationName)})
		return
	}
	if q.operation.Operation != ast.Query {
		q.errs = append(q.errs, gqlError{Message: "Only queries are answered here"})
		return
	}
	q.vars = map[string]any{}
	for _, v := range q.operation.VariableDefinitions {
		value, given := req.Variables[v.Variable]
		if !given && v.DefaultValue != nil {
			value, _ = v.DefaultValue.Value(nil) // a literal: parsed already
			given = true
		}
		if v.Type.NonNull && value == nil {
			q.errs = append(q.errs, gqlError{
				Message:   fmt.Sprintf("Variable $%s of type %s was provided invalid value", v.Variable, v.Type),
				Locations: locate(v.Position),
			})
		}
		if given {
			q.vars[v.Variable] = value
		}
	}
}

// fieldGroup is the fields of one response key, whose selections are merged.
type fieldGroup struct {
	key    string
	fields []*ast.Field
}

// collect flattens fragments for an object of a type, in order of appearance.
func (q *query) collect(set ast.SelectionSet, typ string) []fieldGroup {
	var groups []fieldGroup
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, sel := range set {
			switch sel := sel.(type) {
			case *ast.Field:
				if !q.wanted(sel.Directives) {
					continue
				}
				i := slices.IndexFunc(groups, func(g fieldGroup) bool { return g.key == sel.Alias })
				if i < 0 {
					groups = append(groups, fieldGroup{key: sel.Alias})
					i = len(groups) - 1
				}
				groups[i].fields = append(groups[i].fields, sel)
			case *ast.InlineFragment:
				if q.wanted(sel.Directives) && isA(typ, sel.TypeCondition) {
					walk(sel.SelectionSet)
				}
			case *ast.FragmentSpread:
				if f := q.fragments.ForName(sel.Name); f != nil && q.wanted(sel.Directives) && isA(typ, f.TypeCondition) {
					walk(f.SelectionSet)
				}
			}
		}
	}
	walk(set)
	return groups
}

// wanted follows @include and @skip.
func (q *query) wanted(directives ast.DirectiveList) bool {
	for _, d := range directives {
		arg := d.Arguments.ForName("if")
		if arg == nil {
			continue
		}
		value, _ := arg.Value.Value(q.vars)
		if on, _ := value.(bool); on != (d.Name == "include") {
			return false
		}
	}
	return true
}

// object writes the selected fields of an object.
func (q *query) object(b *bytes.Buffer, typ string, obj any, set ast.SelectionSet, path []any) {
	b.WriteByte('{')
	for i, g := range q.collect(set, typ) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(g.key))
		b.WriteByte(':')
		q.field(b, typ, obj, g, append(slices.Clone(path), g.key))
	}
	b.WriteByte('}')
}

func (q *query) field(b *bytes.Buffer, typ string, obj any, g fieldGroup, path []any) {
	first := g.fields[0]
	if first.Name == "__typename" {
		b.Write(encode(typ))
		return
	}
	def, _ := lookup(typ, first.Name)
	value, err := def.get(&call{query: q, obj: obj, args: q.args(first)})
	if err != nil {
		q.fail(first, path, err)
		b.WriteString("null")
		return
	}
	var set ast.SelectionSet
	for _, f := range g.fields {
		set = append(set, f.SelectionSet...)
	}
	q.value(b, first, def, value, set, path)
}

func (q *query) fail(f *ast.Field, path []any, err error) {
	e := gqlError{Message: err.Error(), Path: path, Locations: locate(f.Position)}
	var api *apiError
	if errors.As(err, &api) {
		e.Type = api.kind
	}
	q.errs = append(q.errs, e)
}

// value writes what a resolver returned: a scalar, an object, a list, or a
// page of a connection.
func (q *query) value(b *bytes.Buffer, f *ast.Field, def gfield, value any, set ast.SelectionSet, path []any) {
	switch {
	case isNil(value):
		b.WriteString("null")
	case def.typ == "":
		b.Write(encode(value))
	case def.list:
		items := value.([]any)
		b.WriteByte('[')
		for i, item := range items {
			if i > 0 {
				b.WriteByte(',')
			}
			here := append(slices.Clone(path), i)
			if err, failed := item.(error); failed {
				q.fail(f, here, err)
				item = nil
			}
			q.one(b, def.typ, item, set, here)
		}
		b.WriteByte(']')
	default:
		q.one(b, def.typ, value, set, path)
	}
}

func (q *query) one(b *bytes.Buffer, typ string, item any, set ast.SelectionSet, path []any) {
	if isNil(item) {
		b.WriteString("null")
		return
	}
	if len(possible[typ]) > 0 {
		typ = typeOf(item)
	}
	q.object(b, typ, item, set, path)
}
