package injection

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/prforge/prforge/internal/syntax"
)

//go:embed builtins.txt
var builtinNames string

// builtins are the names that need no binding: CPython's, from 3.8 to 3.14, and
// those that every module has.
var builtins = sync.OnceValue(func() map[string]bool { return wordSet(builtinNames) })

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// binders are functions through which names appear unseen.
var binders = map[string]bool{"exec": true, "globals": true, "vars": true, "__builtins__": true}

// resolution is where a use finds its name.
type resolution int

const (
	nowhere resolution = iota
	local
	enclosing
	global
	builtin
)

// resolveNames reads a file's scopes by the rules of CPython's symtable.
func resolveNames(tree *syntax.Tree) *names {
	b := binder{&names{words: map[string]bool{}}}
	tree.Root().Walk(func(n syntax.Node) bool {
		if n.Is("identifier") {
			b.words[n.Text()] = true
		}
		return true
	})
	module := b.open(moduleScope, -1, "")
	b.all(tree.Root(), module)
	b.findUndefined()
	b.findEarly()
	return b.names
}

// resolve finds the scope that a name is read from, as CPython's symtable does.
func (n *names) resolve(name string, in int) resolution {
	for at, first := in, true; at > 0; at, first = n.scopes[at].parent, false {
		s := &n.scopes[at]
		if s.kind == classScope {
			if !first {
				if name == "__class__" {
					return enclosing // the cell that super() uses
				}
				continue
			}
			if name == "__module__" || name == "__qualname__" {
				return local
			}
		}
		switch {
		case s.elsewhere[name] == "global":
			return n.global(name)
		case s.elsewhere[name] == "nonlocal":
		case len(s.bound[name]) > 0 && first:
			return local
		case len(s.bound[name]) > 0:
			return enclosing
		}
	}
	return n.global(name)
}

// global looks a name up in the module, where functions may bind it too.
func (n *names) global(name string) resolution {
	if len(n.scopes[0].bound[name]) > 0 {
		return global
	}
	for i := range n.scopes {
		if n.scopes[i].elsewhere[name] == "global" && len(n.scopes[i].bound[name]) > 0 {
			return global
		}
	}
	if builtins()[name] {
		return builtin
	}
	return nowhere
}

// boundAnywhere reports whether any scope of the file binds the name: rule R0
// asks no more.
func (n *names) boundAnywhere(name string) bool {
	for i := range n.scopes {
		if len(n.scopes[i].bound[name]) > 0 {
			return true
		}
	}
	return false
}

func (n *names) findUndefined() {
	for _, u := range n.uses {
		if binders[u.name] && n.resolve(u.name, u.scope) == builtin {
			n.binder(u)
		}
		if u.name == "sys" && strings.HasPrefix(u.node.Parent().Parent().Text(), "sys.modules[__name__]") {
			n.binder(u)
		}
		if n.resolve(u.name, u.scope) == nowhere {
			n.undefined = append(n.undefined, u)
		}
	}
}

// brokenNonlocal is a name declared nonlocal that no function around binds, which
// the compiler refuses; "" if there is none.
func (n *names) brokenNonlocal() string {
	for i := range n.scopes {
		for _, name := range slices.Sorted(maps.Keys(n.scopes[i].elsewhere)) {
			if n.scopes[i].elsewhere[name] == "nonlocal" && n.resolve(name, i) != enclosing {
				return name
			}
		}
	}
	return ""
}

func (n *names) binder(u use) {
	if n.unsupported == "" {
		n.unsupported = u.name + " may bind names unseen"
	}
}

// findEarly finds the uses of a function's own variable that run before any
// statement could have bound it: all bindings come later in the source and no
// loop of the function leads back.
func (n *names) findEarly() {
	for _, u := range n.uses {
		s := &n.scopes[u.scope]
		if s.kind != functionScope || s.elsewhere[u.name] != "" || len(s.bound[u.name]) == 0 || u.node.Field() == "left" &&
			u.node.Parent().Is("augmented_assignment") {
			continue
		}
		if !s.loopsOver(u.node.Lines().Start) && n.allAfter(s.bound[u.name], statementOf(u.node)) {
			n.early = append(n.early, u)
		}
	}
}

func (n *names) allAfter(bindings []syntax.Node, statement syntax.Node) bool {
	for _, b := range bindings {
		if b.From() < statement.To() {
			return false
		}
	}
	return true
}

func (s *scope) loopsOver(line int) bool {
	for _, l := range s.loops {
		if l.Contains(line) {
			return true
		}
	}
	return false
}

// soleBindings are the names that their scope binds in one place only, in source
// order; those of classes are left out, since they are attributes.
func (n *names) soleBindings() []syntax.Node {
	var out []syntax.Node
	for i := range n.scopes {
		if n.scopes[i].kind == classScope {
			continue
		}
		for name, at := range n.scopes[i].bound {
			if len(at) == 1 && n.scopes[i].elsewhere[name] == "" {
				out = append(out, at[0])
			}
		}
	}
	slices.SortFunc(out, func(a, b syntax.Node) int { return a.From() - b.From() })
	return out
}

// Builtins are the names that no module has to bind, sorted.
func Builtins() []string { return slices.Sorted(maps.Keys(builtins())) }
