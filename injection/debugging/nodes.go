package debugging

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/prforge/prforge/internal/syntax"
)

// each calls f for every node of the kinds.
func (s *Script) each(f func(syntax.Node), kinds ...string) {
	s.Tree.Root().Walk(func(n syntax.Node) bool {
		if n.Is(kinds...) {
			f(n)
		}
		return true
	})
}

// call is a call taken apart.
type call struct {
	node, function, arguments syntax.Node
	method                    string      // last name of what is called
	receiver                  syntax.Node // before the last dot; none for a plain name
	positional                []syntax.Node
	keywords                  map[string]syntax.Node // keyword_argument nodes by name
}

// calls calls f for every call.
func (s *Script) calls(f func(call)) {
	s.each(func(n syntax.Node) {
		if c, ok := takeApart(n); ok {
			f(c)
		}
	}, "call")
}

func takeApart(n syntax.Node) (call, bool) {
	c := call{node: n, function: n.Child("function"), arguments: n.Child("arguments"), keywords: map[string]syntax.Node{}}
	if !c.arguments.Is("argument_list") {
		return c, false
	}
	switch {
	case c.function.Is("identifier"):
		c.method = c.function.Text()
	case c.function.Is("attribute"):
		c.method, c.receiver = c.function.Child("attribute").Text(), c.function.Child("object")
	default:
		return c, false
	}
	for _, a := range c.arguments.NamedChildren() {
		switch {
		case a.Is("keyword_argument"):
			c.keywords[a.Child("name").Text()] = a
		case !a.Is("list_splat", "dictionary_splat"):
			c.positional = append(c.positional, a)
		}
	}
	return c, true
}

// append gives the offset and the text that add an argument at the end.
func (c call) append(argument string) (offset int, text string) {
	end := c.arguments.To() - 1
	named := c.arguments.NamedChildren()
	if len(named) == 0 {
		return end, argument
	}
	return named[len(named)-1].To(), ", " + argument
}

// value is the node's expression statement's or assignment's right side: true
// where the call's own value goes to a name.
func assigned(n syntax.Node) bool {
	return n.Field() == "right" && n.Parent().Is("assignment") && n.Parent().Parent().Is("expression_statement")
}

// alone reports whether an expression is a whole statement.
func alone(n syntax.Node) bool { return n.Parent().Is("expression_statement") }

// literal is the inside of a plain string: no prefix, no escape, no braces of a
// format.
func literal(n syntax.Node) (string, bool) {
	if !n.Is("string") {
		return "", false
	}
	text := n.Text()
	if len(text) < 2 || text[0] != text[len(text)-1] || text[0] != '\'' && text[0] != '"' ||
		strings.HasPrefix(text, `"""`) || strings.HasPrefix(text, "'''") {
		return "", false
	}
	inside := text[1 : len(text)-1]
	return inside, !strings.ContainsAny(inside, "\\{}\n")
}

// misspelled is a near name, as people misspell: one of several for a plural, a
// letter or an underscore forgotten, one struck twice or two exchanged. Which of them
// depends on the name alone. taken reports names that it must not be.
func misspelled(name string, taken func(string) bool) string {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return ""
		}
	}
	middle := len(name) / 2
	slips := []string{strings.TrimSuffix(name, "s")}
	if !strings.HasSuffix(name, "s") {
		slips[0] = name + "s"
	}
	if len(name) > 3 {
		slips = append(slips, name[:middle]+name[middle+1:], name[:middle]+name[middle:middle+1]+name[middle:],
			name[:middle]+name[middle+1:middle+2]+name[middle:middle+1]+name[middle+2:], strings.Replace(name, "_", "", 1))
	}
	first := int(rank(0, name) % uint64(len(slips)))
	for i := range slips {
		if slip := slips[(first+i)%len(slips)]; slip != name && slip != "" && !taken(slip) {
			return slip
		}
	}
	return ""
}

// uses reports whether the script has the name.
func (s *Script) uses(name string) bool { return s.names[name] > 0 }

// rank is a number that looks drawn and depends on its arguments alone.
func rank(seed int, parts ...string) uint64 {
	h := sha256.New()
	fmt.Fprintf(h, "%d", seed)
	for _, p := range parts {
		fmt.Fprintf(h, " %d:%s", len(p), p)
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}
