package contextbuilder

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prforge/prforge/internal/syntax"
)

// What a field is a member of, and of which type that is: fields of a name are those of many types.

// isMeantAt reports whether a line that has the field's name means the field of the setting: as a member of something
// of its type or, where the file does not say the types, if probable says so and no other type has such a field.
func (s *setting) isMeantAt(in *source, n int, probable bool) bool {
	if s.options == "" && s.kind != syntax.Flag {
		return s.isVariableAt(in, n)
	}
	types := s.types()
	receivers := receivers(in.line(n), s.field)
	unknown := len(receivers) == 0
	for _, r := range receivers {
		switch typ := typeOf(in.file, in.enclosing(n), r); {
		case typ == "":
			unknown = true
		case typ == s.options, s.options == "" && len(types) == 1 && types[0] == typ:
			return true
		}
	}
	another := func(typ string) bool { return !slices.Contains(types, typ) }
	return unknown && probable && len(types) < 2 && !slices.ContainsFunc(holders(in.file, s.field), another)
}

// isVariableAt reports whether a line of another file may mean the variable that a setting fills: neither a parsed flag
// nor a member of a type that has no such field where the setting is defined.
func (s *setting) isVariableAt(in *source, n int) bool {
	if s.field == "" || in.path == s.path {
		return true
	}
	types := append(holders(s.file, s.field), "")
	if def := s.enclosing(s.line); def >= 0 {
		types = append(types, typeAround(s.file, def))
	}
	receivers := receivers(in.line(n), s.field)
	return len(receivers) == 0 || slices.ContainsFunc(receivers, func(r string) bool {
		return r != "args" && r != "argv" && slices.Contains(types, typeOf(in.file, in.enclosing(n), r))
	})
}

// types are the types whose field the setting may be.
func (s *setting) types() []string {
	out := holders(s.file, s.field)
	if s.options != "" && !slices.Contains(out, s.options) {
		out = append(out, s.options)
	}
	if len(out) == 0 {
		return []string{"Namespace"} // of parsed flags
	}
	return out
}

// holders are the types of a file that have a field of a name.
func holders(f *syntax.File, field string) []string {
	var out []string
	for i := range f.Definitions {
		if d := &f.Definitions[i]; d.Name == field && !isFunction(d.Kind) {
			if typ := typeAround(f, i); typ != "" && !slices.Contains(out, typ) {
				out = append(out, typ)
			}
		}
	}
	return out
}

// isNamedFor reports whether the field is a member of something that is called as its type on a line; where it has no
// type any use of the name will do.
func (s *setting) isNamedFor(line string) bool {
	return s.options == "" || slices.ContainsFunc(owners(line, s.field), func(owner string) bool {
		return strings.EqualFold(strings.ReplaceAll(owner, "_", ""), strings.ReplaceAll(s.options, "_", ""))
	})
}

// receivers are what a field is a member of on a line: names joined by dots, and what follows a call or an index.
func receivers(line, field string) []string {
	var out []string
	before, after, found := strings.Cut(line, "."+field)
	for ; found; before, after, found = strings.Cut(after, "."+field) {
		if next, _ := utf8.DecodeRuneInString(after); after == "" || !isWord(next) {
			ends := func(r rune) bool { return !isWord(r) && !strings.ContainsRune(".?!()", r) }
			chain := before[strings.LastIndexFunc(before, ends)+1:]
			chain = strings.NewReplacer("?", "", "!", "").Replace(chain)
			at := strings.LastIndexAny(strings.TrimSuffix(chain, "()"), "()") + 1
			out = append(out, strings.TrimPrefix(chain[at:], "..."))
		}
	}
	return out
}

// owners are the last names of receivers.
func owners(line, field string) []string {
	out := receivers(line, field)
	for i, r := range out {
		out[i] = lastWord(strings.TrimSuffix(r, "()"))
	}
	return out
}

func lastWord(text string) string {
	text = strings.TrimRight(text, ` :"'`)
	return text[strings.LastIndexFunc(text, func(r rune) bool { return !isWord(r) })+1:]
}

// typeOf is the name of the type of a receiver inside a definition; "" if the file does not say it.
func typeOf(f *syntax.File, def int, receiver string) string {
	name, rest, more := strings.Cut(receiver, ".")
	typ := ""
	for at := def; at >= 0 && typ == ""; at = f.Definitions[at].Parent {
		if name == "self" || name == "this" {
			typ = typeAround(f, at)
		} else {
			typ = localType(f, at, name)
		}
	}
	for more && typ != "" {
		name, rest, more = strings.Cut(rest, ".")
		typ = fieldType(f, typ, name)
	}
	return typ
}

// localType is the type of a parameter or variable of a definition; "" if it is not known.
func localType(f *syntax.File, def int, name string) string {
	for _, l := range f.Locals {
		if l.Def == def && l.Name == name {
			return typeName(f, l.Type)
		}
	}
	return ""
}

// fieldType is the type of a field of a type in the same file; "" if it is not known.
func fieldType(f *syntax.File, typ, field string) string {
	at := slices.IndexFunc(f.Definitions, func(d syntax.Definition) bool {
		return d.Name == typ && isType(d.Kind) && d.Kind != syntax.Implementation
	})
	if at < 0 {
		return ""
	}
	for _, m := range f.Children(at) {
		if d := &f.Definitions[m]; d.Name == field && !isFunction(d.Kind) && d.Type != "" {
			return typeName(f, d.Type)
		}
	}
	return localType(f, at, field)
}

// typeName is the last name of a type. What a call returns is only known where it makes an object of a class.
func typeName(f *syntax.File, typ string) string {
	made, called := strings.CutSuffix(typ, "()")
	name := made[strings.LastIndex(made, ".")+1:]
	if first, _ := utf8.DecodeRuneInString(name); called && (!f.Language.Indented || !unicode.IsUpper(first)) {
		return ""
	}
	return name
}
