package contextbuilder

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// The definitions that a change uses, and what it shows of them.

// uses reports whether some lines of a file use one of its definitions: an equal word is not enough. A member is used
// through its type or, in code of that type, through the object; anything else without a receiver.
func (s *changedFile) uses(lines []string, def int) bool {
	d := &s.was.Definitions[def]
	typ := typeAround(s.was, def)
	inside := slices.ContainsFunc(s.touched, func(t int) bool {
		return t != def && typ != "" && (typeAround(s.was, t) == typ || s.was.Definitions[t].Name == typ)
	})
	return slices.ContainsFunc(lines, func(line string) bool {
		return usedIn(line, d.Name, func(receiver string) bool {
			switch {
			case typ == "":
				return receiver == ""
			case receiver == "self" || receiver == "this" || receiver == "cls" || receiver == "super()":
				return inside
			case receiver == "":
				return inside && s.was.Language.ImplicitThis
			case s.was.Language.NamedReceiver:
				return inside
			}
			return receiver == typ
		})
	})
}

// typeAround is the name of the type that a definition is a member of; "" for
// none. A Go method has it in its name.
func typeAround(f *syntax.File, def int) string {
	d := &f.Definitions[def]
	if d.Parent < 0 {
		typ, _, member := strings.Cut(d.Qualified, ".")
		if member && f.Language.NamedReceiver {
			return typ
		}
		return ""
	}
	if p := &f.Definitions[d.Parent]; isType(p.Kind) {
		return p.Name
	}
	return ""
}

func isType(k syntax.Kind) bool {
	switch k {
	case syntax.Class, syntax.Struct, syntax.Interface, syntax.Enum, syntax.Record, syntax.Implementation:
		return true
	}
	return false
}

// usedIn calls a function for each whole-word occurrence of a name in a line, with the word before its dot; "" if
// there is no dot.
func usedIn(line, name string, accept func(receiver string) bool) bool {
	for at := 0; ; {
		i := strings.Index(line[at:], name)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(name)
		at = to
		if from > 0 && isWord(rune(line[from-1])) || to < len(line) && isWord(rune(line[to])) {
			continue
		}
		before, dotted := strings.CutSuffix(line[:from], ".")
		receiver := ""
		if dotted {
			before = strings.TrimSuffix(before, "?")
			receiver = before[strings.LastIndexFunc(before, func(r rune) bool { return !isWord(r) && r != '(' && r != ')' })+1:]
			if receiver == "" {
				receiver = "?"
			}
		}
		if accept(receiver) {
			return true
		}
	}
}

// known offers a definition that the change uses. For a type too large to show it offers the members named by the
// lines around the change, after the first sentence of its documentation: an empty body would say nothing.
func (f *finder) known(s *changedFile, from *source, def, tier int, why string) []*snippet {
	forms := f.shown(from, def, tier, why, "")
	if !isType(from.file.Definitions[def].Kind) {
		return forms
	}
	out := forms[:1:1]
	for m := range from.file.Definitions {
		d := &from.file.Definitions[m]
		if isFunction(d.Kind) && typeAround(from.file, m) == from.file.Definitions[def].Name &&
			(s.changed[d.Name] || s.around[d.Name]) {
			out = append(out, &snippet{source: from, tier: tier, why: why, def: m, form: syntax.Stub,
				note: saysFirst(from, def)})
		}
	}
	return append(out, forms[2])
}

// Documentation in XML, which "///" begins: a tag that names something, and any tag.
var (
	xmlName = regexp.MustCompile(`<(?:see|seealso|paramref|typeparamref) (?:cref|name|langword)="(?:\w:)?([^"<>]*)" ?/>`)
	xmlTag  = regexp.MustCompile(`</?[a-z][^<>]*>`)
)

// docText is a line of documentation without its comment marks.
func docText(line string) string {
	if strings.HasPrefix(strings.TrimSpace(line), "///") {
		line = xmlTag.ReplaceAllString(xmlName.ReplaceAllString(line, "$1"), "")
	}
	return strings.Trim(line, " \t\"/*#")
}

// saysFirst is the first sentence of a type's documentation, after its name; ""
// without one that is short.
func saysFirst(from *source, def int) string {
	const longest = 120
	d := &from.file.Definitions[def]
	at := d.Doc.Start
	if from.file.Language.Indented {
		at = d.Body.Start
		if at > 0 && strings.HasSuffix(strings.TrimSpace(from.line(at)), ":") {
			at++
		}
		if !strings.HasPrefix(strings.TrimSpace(from.line(at)), `"""`) {
			return ""
		}
	}
	text := docText(from.line(at))
	if text == "" && at > 0 {
		text = docText(from.line(at + 1))
	}
	for _, end := range sentenceEnd.FindAllStringIndex(text+" ", -1) {
		if !abbreviation.MatchString(text[:end[0]+1]) {
			text = text[:min(end[1], len(text))]
			break
		}
	}
	if text = strings.TrimSpace(text); text == "" || len(text) > longest {
		return ""
	}
	if strings.HasPrefix(text, d.Name+" ") {
		return text // Go's comments begin with the name
	}
	return d.Name + ": " + text
}
