package injection

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// scopeKind is what opens a scope.
type scopeKind int

const (
	moduleScope scopeKind = iota
	classScope
	functionScope // lambdas too
	comprehensionScope
)

// scope is one of Python's scopes, as its symtable module knows them.
type scope struct {
	kind      scopeKind
	parent    int
	class     string // name of the innermost class around, for private names
	loops     []syntax.Span
	bound     map[string][]syntax.Node // where each name is bound
	elsewhere map[string]string        // "global" or "nonlocal" by name
}

// names are a file's scopes and the names used in them.
type names struct {
	scopes []scope
	uses   []use
	words  map[string]bool // every identifier of the file
	// unsupported is the construct for which scopes prove nothing; "" for none.
	unsupported string
	undefined   []use // uses that no binding reaches, in source order
	early       []use // local names that are certainly used before they are bound
}

// use is one evaluation of a plain name.
type use struct {
	node  syntax.Node
	name  string
	scope int
}

// binder walks a tree and fills names.
type binder struct{ *names }

func (b binder) open(kind scopeKind, parent int, class string) int {
	b.scopes = append(b.scopes, scope{kind: kind, parent: parent, class: class, bound: map[string][]syntax.Node{},
		elsewhere: map[string]string{}})
	return len(b.scopes) - 1
}

// all visits the children.
func (b binder) all(n syntax.Node, in int) {
	for _, c := range n.NamedChildren() {
		b.visit(c, in)
	}
}

// visit reads one node inside a scope. Its depth is bounded by the tree's.
func (b binder) visit(n syntax.Node, in int) {
	switch n.Kind() {
	case "identifier":
		b.use(n, in)
	case "attribute":
		b.visit(n.Child("object"), in)
	case "keyword_argument":
		b.visit(n.Child("value"), in)
	case "function_definition":
		b.bind(n.Child("name"), in)
		b.function(n, in)
	case "lambda":
		b.function(n, in)
	case "class_definition":
		b.class(n, in)
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		b.comprehension(n, in)
	case "assignment":
		b.target(n.Child("left"), in)
		b.visit(n.Child("type"), in)
		b.visit(n.Child("right"), in)
	case "augmented_assignment":
		b.target(n.Child("left"), in)
		if n.Child("left").Is("identifier") {
			b.use(n.Child("left"), in)
		}
		b.visit(n.Child("right"), in)
	case "named_expression":
		outer := in
		for b.scopes[outer].kind == comprehensionScope {
			outer = b.scopes[outer].parent
		}
		b.bind(n.Child("name"), outer)
		b.visit(n.Child("value"), in)
	case "for_statement":
		b.loop(n, in)
		b.target(n.Child("left"), in)
		for _, c := range n.NamedChildren() {
			if c.Field() != "left" {
				b.visit(c, in)
			}
		}
	case "while_statement":
		b.loop(n, in)
		b.all(n, in)
	case "as_pattern":
		b.asPattern(n, in)
	case "delete_statement":
		for _, c := range n.NamedChildren() {
			b.target(c, in)
		}
	case "import_statement", "import_from_statement":
		b.imports(n, in)
	case "future_import_statement":
		for _, c := range n.NamedChildren() {
			b.importedName(c, in)
		}
	case "global_statement", "nonlocal_statement":
		for _, c := range n.NamedChildren() {
			b.scopes[in].elsewhere[b.mangle(c.Text(), in)] = strings.TrimSuffix(n.Kind(), "_statement")
		}
	case "case_pattern":
		b.pattern(n, in)
	case "print_statement", "exec_statement", "chevron", "type_alias_statement":
		b.unsupport(n.Kind())
	default:
		b.all(n, in)
	}
}

func (b binder) unsupport(what string) {
	if b.unsupported == "" {
		b.unsupported = what
	}
}

// loop notes the lines that may run again.
func (b binder) loop(n syntax.Node, in int) {
	for b.scopes[in].kind == comprehensionScope {
		in = b.scopes[in].parent
	}
	b.scopes[in].loops = append(b.scopes[in].loops, n.Lines())
}

// bind notes that a scope binds a name.
func (b binder) bind(n syntax.Node, in int) {
	if n.Exists() {
		name := b.mangle(n.Text(), in)
		b.scopes[in].bound[name] = append(b.scopes[in].bound[name], n)
	}
}

func (b binder) use(n syntax.Node, in int) {
	b.uses = append(b.uses, use{n, b.mangle(n.Text(), in), in})
}

// mangle is the name as the compiler stores it: private names of a class get the
// class's name.
func (b binder) mangle(name string, in int) string {
	class := strings.TrimLeft(b.scopes[in].class, "_")
	if class == "" || !strings.HasPrefix(name, "__") || strings.HasSuffix(name, "__") {
		return name
	}
	return "_" + class + name
}

// function reads a function or lambda: defaults and annotations belong to the
// scope around it.
func (b binder) function(n syntax.Node, in int) {
	if n.ChildOf("type_parameter").Exists() {
		b.unsupport("type parameters")
	}
	inner := b.open(functionScope, in, b.scopes[in].class)
	for _, p := range n.Child("parameters").NamedChildren() {
		b.parameter(p, in, inner)
	}
	b.visit(n.Child("return_type"), in)
	b.visit(n.Child("body"), inner)
}

func (b binder) parameter(p syntax.Node, in, inner int) {
	switch p.Kind() {
	case "identifier":
		b.bind(p, inner)
	case "default_parameter", "typed_default_parameter":
		b.bind(p.Child("name"), inner)
		b.visit(p.Child("type"), in)
		b.visit(p.Child("value"), in)
	case "typed_parameter":
		b.visit(p.Child("type"), in)
		for _, c := range p.NamedChildren() {
			if c.Field() != "type" {
				b.parameter(c, in, inner)
			}
		}
	case "list_splat_pattern", "dictionary_splat_pattern":
		b.bind(p.ChildOf("identifier"), inner)
	case "keyword_separator", "positional_separator":
	default:
		b.unsupport(p.Kind())
	}
}

func (b binder) class(n syntax.Node, in int) {
	if n.ChildOf("type_parameter").Exists() {
		b.unsupport("type parameters")
	}
	b.bind(n.Child("name"), in)
	b.visit(n.Child("superclasses"), in)
	inner := b.open(classScope, in, n.Child("name").Text())
	b.visit(n.Child("body"), inner)
}

// comprehension reads a comprehension or generator: its first iterable belongs
// to the scope around it.
func (b binder) comprehension(n syntax.Node, in int) {
	inner := b.open(comprehensionScope, in, b.scopes[in].class)
	outer := in
	for _, c := range n.NamedChildren() {
		if !c.Is("for_in_clause") {
			b.visit(c, inner)
			continue
		}
		b.target(c.Child("left"), inner)
		b.visit(c.Child("right"), outer)
		for _, more := range c.NamedChildren() {
			if more.Field() != "left" && more.Field() != "right" {
				b.visit(more, outer)
			}
		}
		outer = inner
	}
}

// target reads what is assigned to or deleted.
func (b binder) target(n syntax.Node, in int) {
	switch n.Kind() {
	case "identifier":
		b.bind(n, in)
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "list_splat", "expression_list",
		"tuple", "list", "parenthesized_expression", "as_pattern_target":
		for _, c := range n.NamedChildren() {
			b.target(c, in)
		}
	default:
		b.visit(n, in)
	}
}

// asPattern is "value as name" of with, except and case.
func (b binder) asPattern(n syntax.Node, in int) {
	for i, c := range n.NamedChildren() {
		switch {
		case c.Is("as_pattern_target"):
			b.target(c, in)
		case i > 0 && c.Is("identifier"):
			b.bind(c, in)
		default:
			b.visit(c, in)
		}
	}
}

// pattern reads a pattern of a case clause: a plain name is bound, a dotted one
// is a value.
func (b binder) pattern(n syntax.Node, in int) {
	for i, c := range n.NamedChildren() {
		switch c.Kind() {
		case "dotted_name":
			parts := c.NamedChildren()
			if len(parts) == 1 && !n.Is("class_pattern") && len(parts[0].Text()) > 0 {
				b.bind(parts[0], in)
			} else if len(parts) > 0 {
				b.use(parts[0], in)
			}
		case "identifier":
			if !n.Is("keyword_pattern") || i > 0 {
				b.bind(c, in)
			}
		case "as_pattern", "splat_pattern", "keyword_pattern", "case_pattern", "union_pattern", "class_pattern",
			"list_pattern", "tuple_pattern", "dict_pattern":
			b.pattern(c, in)
		}
	}
}

func (b binder) imports(n syntax.Node, in int) {
	for _, c := range n.NamedChildren() {
		if c.Field() == "module_name" {
			if strings.Contains(c.Text(), "builtin") {
				b.unsupport("an import of builtins")
			}
			continue
		}
		b.importedName(c, in)
	}
}

func (b binder) importedName(c syntax.Node, in int) {
	switch c.Kind() {
	case "wildcard_import":
		b.unsupport("a wildcard import")
	case "aliased_import":
		b.bind(c.Child("alias"), in)
	case "dotted_name":
		if strings.Contains(c.Text(), "builtin") {
			b.unsupport("an import of builtins")
		}
		b.bind(c.ChildOf("identifier"), in)
	}
}
