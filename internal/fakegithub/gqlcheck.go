package fakegithub

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// nodeLimit is the number of possible nodes that GitHub allows in a query.
const nodeLimit = 500_000

// check checks the query against the types that the fake knows, as GitHub's
// static validation does, and measures it. Nothing is executed when it fails.
func (q *query) check() {
	q.checkSet(q.operation.SelectionSet, "Query", 1, []any{"query"}, 0)
	if len(q.errs) == 0 && q.size.nodes > nodeLimit {
		q.refuse("MAX_NODE_LIMIT_EXCEEDED", nil,
			"This query requests up to %d possible nodes which exceeds the maximum limit of 500,000.", q.size.nodes)
	}
}

func (q *query) refuse(kind string, path []any, format string, args ...any) {
	q.errs = append(q.errs, gqlError{Type: kind, Path: path, Message: fmt.Sprintf(format, args...)})
}

func (q *query) invalid(code string, at *ast.Position, path []any, format string, args ...any) {
	q.errs = append(q.errs, gqlError{
		Path: path, Locations: locate(at), Message: fmt.Sprintf(format, args...), Extensions: map[string]any{"code": code},
	})
}

// maxDepth keeps fragments that contain themselves from going round for ever.
const maxDepth = 60

func (q *query) checkSet(set ast.SelectionSet, typ string, factor int, path []any, depth int) {
	if depth > maxDepth {
		q.invalid("infiniteLoop", nil, path, "The query is too deep")
		return
	}
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			q.checkField(sel, typ, factor, append(slices.Clone(path), sel.Alias), depth)
		case *ast.InlineFragment:
			q.checkFragment(sel.SelectionSet, typ, sel.TypeCondition, sel.Position, factor, path, depth)
		case *ast.FragmentSpread:
			f := q.fragments.ForName(sel.Name)
			if f == nil {
				q.invalid("useAndDefineFragment", sel.Position, path, "Fragment %s was used, but not defined", sel.Name)
				continue
			}
			q.checkFragment(f.SelectionSet, typ, f.TypeCondition, f.Position, factor, path, depth)
		}
	}
}

func (q *query) checkFragment(set ast.SelectionSet, typ, condition string, at *ast.Position, factor int, path []any,
	depth int) {
	if condition == "" {
		condition = typ
	}
	if !isType(condition) {
		q.invalid("undefinedType", at, path, "No such type %s, so it can't be a fragment condition", condition)
		return
	}
	if !overlap(typ, condition) {
		q.invalid("cannotSpreadFragment", at, path, "Fragment on %s can't be spread inside %s", condition, typ)
		return
	}
	q.checkSet(set, condition, factor, path, depth+1)
}

func (q *query) checkField(f *ast.Field, typ string, factor int, path []any, depth int) {
	if f.Name == "__typename" {
		return
	}
	def, ok := lookup(typ, f.Name)
	if !ok {
		q.invalid("undefinedField", f.Position, path, "Field '%s' doesn't exist on type '%s'", f.Name, typ)
		return
	}
	for _, a := range f.Arguments {
		if !slices.Contains(def.args, a.Name) {
			q.invalid("argumentNotAccepted", a.Position, path, "Field '%s' doesn't accept argument '%s'", f.Name, a.Name)
		}
		if a.Value.Kind == ast.Variable && q.operation.VariableDefinitions.ForName(a.Value.Raw) == nil {
			q.invalid("variableNotDefined", a.Position, path, "Variable $%s is used by the query but not declared", a.Value.Raw)
		}
	}
	if (def.typ == "") != (len(f.SelectionSet) == 0) {
		q.invalid("selectionMismatch", f.Position, path, "Field '%s' must have selections exactly when it is an object",
			f.Name)
		return
	}
	if strings.HasSuffix(def.typ, "Connection") {
		factor = q.page(f, factor, path)
	}
	if def.typ != "" {
		q.checkSet(f.SelectionSet, def.typ, factor, path, depth+1)
	}
}

// page measures a connection and returns how often its fields are asked for.
func (q *query) page(f *ast.Field, factor int, path []any) int {
	args := q.args(f)
	n, given := number(args["first"])
	if !given {
		n, given = number(args["last"])
	}
	switch {
	case !given && wantsItems(f.SelectionSet):
		q.refuse("MISSING_PAGINATION_BOUNDARIES", path,
			"You must provide a `first` or `last` value to properly paginate the `%s` connection.", f.Name)
	case given && (n < 1 || n > pageLimit):
		q.refuse("EXCESSIVE_PAGINATION", path,
			"Requesting %d records on the `%s` connection exceeds the `first` limit of %d records.", n, f.Name, pageLimit)
	case given:
		q.size.requests += factor
		q.size.nodes += factor * n
		return factor * n
	}
	return factor
}

func wantsItems(set ast.SelectionSet) bool {
	for _, sel := range set {
		f, isField := sel.(*ast.Field)
		if !isField || f.Name == "nodes" || f.Name == "edges" {
			return true
		}
	}
	return false
}

// args evaluates a field's arguments; those set to an absent variable are
// absent.
func (q *query) args(f *ast.Field) map[string]any {
	out := map[string]any{}
	for _, a := range f.Arguments {
		if a.Value.Kind == ast.Variable {
			if v, ok := q.vars[a.Value.Raw]; ok {
				out[a.Name] = v
			}
			continue
		}
		if v, err := a.Value.Value(q.vars); err == nil {
			out[a.Name] = v
		}
	}
	return out
}

func locate(p *ast.Position) []location {
	if p == nil {
		return nil
	}
	return []location{{p.Line, p.Column}}
}
