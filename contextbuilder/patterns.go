package contextbuilder

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// optionTypes are the suffixes of the names of types whose fields are settings.
var optionTypes = []string{"config", "configuration", "setting", "settings", "option", "options", "opts", "flags",
	"params", "properties", "conf", "cfg"}

func isOptions(typ string) bool {
	name := strings.ToLower(typ)
	return slices.ContainsFunc(optionTypes, func(end string) bool { return strings.HasSuffix(name, end) })
}

// assigned matches the target of an assignment at the end of the text before
// the value.
var assigned = regexp.MustCompile(`(?:^|[\s.,({])(?P<name>[A-Za-z_$][\w$]*)["']?\s*(?::\s*[\w.\[\]| ]+)?(?:\s*:?=|\s*:)[^=]*$`)

// settingsOf lists the settings that a file defines on some lines.
func settingsOf(s *source, lines func(int) bool) []*setting {
	var out []*setting
	options := slices.ContainsFunc(s.file.Definitions, func(d syntax.Definition) bool { return isOptions(d.Name) })
	for n := 1; n <= len(s.lines); n++ {
		text, last := s.call(n)
		if len(text) > maxSettingLine || !lines(n) && !lines(last) || isComment(s.file.Language, strings.TrimSpace(text)) {
			continue
		}
		if s.inTests(n) {
			continue
		}
		found := false
		for _, p := range s.file.Language.Settings {
			if !slices.ContainsFunc(p.Hints, func(hint string) bool { return strings.Contains(text, hint) }) {
				continue
			}
			if m := p.Matches.FindStringSubmatchIndex(text); m != nil {
				found = true
				if o := newSetting(s, n, p, text, m); o.isSetting() {
					out = append(out, o)
				}
				break
			}
		}
		if !found && options {
			if o := optionAt(s, n, text); o != nil {
				out = append(out, o)
			}
		}
	}
	return out
}

// call is line n and, if its last bracket opens at its end, the next line, which often has the argument. It returns
// the number of the last line.
func (s *source) call(n int) (text string, last int) {
	text = s.line(n)
	if open := strings.TrimRight(text, " \t"); strings.HasSuffix(open, "(") || strings.HasSuffix(open, "[") {
		return open + strings.TrimLeft(s.line(n+1), " \t"), n + 1
	}
	return text, n
}

// isSetting reports whether a user can set it: the name of a header is none, and a field and its tag are one in a type
// of options alone, since elsewhere they name a column or a part of a message.
func (s *setting) isSetting() bool {
	isField := s.kind == syntax.Tag || s.kind == syntax.Option
	return (s.kind != syntax.Key || !headerName.MatchString(s.name)) && (!isField || s.options != "")
}

// headerName matches names of HTTP headers, which are read and set like settings.
var headerName = regexp.MustCompile(`^[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)*$`)

// maxSettingLine is the longest line, in bytes, that is searched: longer ones
// were not written by a person.
const maxSettingLine = 400

func newSetting(s *source, n int, p syntax.Setting, text string, m []int) *setting {
	group := func(name string) string {
		i := p.Matches.SubexpIndex(name)
		if i < 0 || m[2*i] < 0 {
			return ""
		}
		return text[m[2*i]:m[2*i+1]]
	}
	out := &setting{source: s, kind: p.Kind, name: strings.TrimSpace(group("name")), line: n, field: group("field")}
	if p.Kind == syntax.Tag || p.Kind == syntax.Option {
		out.options = optionsAround(s, n)
	}
	if p.Kind == syntax.Option {
		out.name = out.options + "." + out.name
	}
	switch {
	case p.Kind == syntax.Flag && strings.HasPrefix(out.name, "-") && !strings.HasPrefix(out.name, "--"):
		out.name = longFlag(s, n, out.name)
	case p.Kind == syntax.Key && out.field == out.name && out.name != "":
		if table := tableAround(s, n); table != "" { // the entries of a table have its prefix
			out.name = table + "_" + out.name
			out.field = out.name
		}
	}
	if dot := strings.LastIndex(out.field, "."); dot >= 0 {
		out.field = out.field[dot+1:]
	}
	if local := ifBinding.FindStringSubmatch(text[:m[0]]); local != nil {
		out.field = passedTo(s, n, local[1])
		return out
	}
	if out.field == "" {
		out.field = fieldAt(s, n, text[:m[0]])
	}
	if out.field == "" && p.Kind == syntax.Flag {
		out.field = flagField(out.name)
	}
	return out
}

// ifBinding matches a Go condition that declares a name: the name ends with the block, so it is not a field that
// others read.
var ifBinding = regexp.MustCompile(`^\s*(?:\} else )?if\s+(\w+)(?:\s*,\s*\w+)?\s*:=[^;]*$`)

// passedTo is the target to which the block of such a condition assigns the value; "" if the next lines do not show
// it.
func passedTo(s *source, n int, local string) string {
	const most = 3 // lines
	for i := range most {
		for _, m := range assignment.FindAllStringSubmatch(s.line(n+i), -1) {
			if reads(m[2], local, false) {
				return m[1][strings.LastIndex(m[1], ".")+1:]
			}
		}
	}
	return ""
}

var assignment = regexp.MustCompile(`([A-Za-z_][\w.]*)\s*=\s*([^=][^;}]*)`)

// longFlag is the long name of a flag whose declaration starts with the short
// one, or the short one if the next lines have none.
func longFlag(s *source, n int, short string) string {
	const most = 3 // lines
	for i := range most {
		if m := longName.FindStringSubmatch(s.line(n + i)); m != nil {
			return m[1]
		}
	}
	return short
}

var longName = regexp.MustCompile(`["'](--[\w-]+)["']`)

// tableAround is the name of the entry for the table of settings around line n: "worker" in worker=Namespace(...).
func tableAround(s *source, n int) string {
	const most = 150 // lines
	for at := n - 1; at > 0 && at > n-most; at-- {
		if m := tableStart.FindStringSubmatch(s.line(at)); m != nil && len(m[1]) < indent(s.line(n)) {
			return m[2]
		}
	}
	return ""
}

var tableStart = regexp.MustCompile(`^(\s+)(\w+)\s*=\s*Namespace\(`)

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// fieldAt is the target of the value on line n: the target before it on the line, or on the line above, where the
// statement began.
func fieldAt(s *source, n int, before string) string {
	if m := assigned.FindStringSubmatch(before); m != nil {
		return strings.Trim(m[1], "_") // "_" alone is no field
	}
	if above := strings.TrimRight(s.line(n-1), " \t"); strings.HasSuffix(above, "(") || strings.HasSuffix(above, "=") {
		if m := assigned.FindStringSubmatch(strings.TrimRight(above, "(")); m != nil {
			return m[1]
		}
	}
	if def := s.enclosing(n); def >= 0 {
		switch d := &s.file.Definitions[def]; d.Kind {
		case syntax.Constant, syntax.Variable, syntax.Field:
			return d.Name
		}
	}
	return ""
}

// flagField is the name under which the usual parsers return a flag's value.
func flagField(name string) string {
	long := name
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == ',' || r == ' ' }) {
		if strings.HasPrefix(part, "--") {
			long = part
			break
		}
	}
	return strings.ReplaceAll(strings.TrimLeft(long, "-"), "-", "_")
}

// position matches the name of a field for a position in a source file, which no user sets.
var position = regexp.MustCompile(`(?i)(?:decl|def|src|source|token)\w*(?:range|pos|position)$`)

// optionAt is the setting that line n defines as a field of an options type; nil if there is none. A constant is not
// a setting, because no user can set it.
func optionAt(s *source, n int, text string) *setting {
	options := optionsAround(s, n)
	if options == "" || isComment(s.file.Language, strings.TrimSpace(text)) {
		return nil
	}
	pattern := s.file.Language.OptionField
	m := pattern.FindStringSubmatch(text)
	if m == nil || position.MatchString(m[pattern.SubexpIndex("name")]) {
		return nil
	}
	name := m[pattern.SubexpIndex("name")]
	if d := s.enclosing(n); s.file.Definitions[d].Name == name && isOptions(s.file.Definitions[d].Type) {
		return nil // a group of options
	}
	return &setting{source: s, kind: syntax.Option, name: options + "." + name, options: options, field: name, line: n}
}

// optionsAround is the name of the type of options that line n is a field of; "" if it is none.
func optionsAround(s *source, n int) string {
	for at := s.enclosing(n); at >= 0; at = s.file.Definitions[at].Parent {
		d := &s.file.Definitions[at]
		switch {
		case isFunction(d.Kind):
			return ""
		case d.Kind == syntax.Class || d.Kind == syntax.Struct || d.Kind == syntax.Interface || d.Kind == syntax.Record ||
			d.Kind == syntax.Type:
			if n == d.Lines.Start || !isOptions(d.Name) {
				return ""
			}
			return d.Name
		}
	}
	return ""
}

// setting is one entry of configuration: its position and its field.
type setting struct {
	*source
	kind    syntax.SettingKind
	name    string // as the user writes it
	options string // the type of options that it is a field of; "" if it is none
	field   string // the variable, field or constant that holds the value; "" if it is unknown
	line    int    // where it is defined
	added   bool   // by the change: then source is the file after it
	readers []reader
}

// reader is a line that reads a setting.
type reader struct {
	*source
	line int
}

// word is the name in a line that reads the setting: its field or, without one, its own name, such as a key of a
// table of settings.
func (s *setting) word() string {
	if s.field != "" {
		return s.field
	}
	return s.name
}

// reads reports whether a line uses a name without assigning it; on request only as a member of something.
func reads(text, name string, asMember bool) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(name)
		at = to
		if from > 0 && isWord(rune(text[from-1])) || to < len(text) && isWord(rune(text[to])) {
			continue
		}
		if asMember && (from == 0 || !strings.ContainsRune(`.['"`, rune(text[from-1]))) {
			continue
		}
		rest := strings.TrimLeft(text[to:], ` "'])`)
		if strings.HasPrefix(rest, ":=") || strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") &&
			!strings.HasPrefix(rest, "=>") {
			continue
		}
		if inString(text, from) && !isLookup(text, from, to) {
			continue
		}
		return true
	}
}

// isLookup reports whether a name in quotes is the subscript or the argument of what yields its value.
func isLookup(text string, from, to int) bool {
	quoted := to < len(text) && strings.ContainsRune(`'"`+"`", rune(text[to])) && text[from-1] == text[to]
	return quoted && lookup.MatchString(text[:from-1]) && !setter.MatchString(text[:from-1])
}

// lookup matches the text before a subscript or an argument, setter the beginning of a call that sets or deletes.
var (
	lookup = regexp.MustCompile(`[\w)\]]\s*[(\[](?:[^()"']*,)?\s*$`)
	setter = regexp.MustCompile(`(?:\b|_)(?:set|put|del|delete)(?:attr_*|_\w+|[A-Z]\w*)?\((?:[^()"']*,)?\s*$`)
)

// inString reports whether a byte of a line is text of a literal, and no expression inside it. A single quote that
// nothing closes begins none.
func inString(text string, at int) bool {
	var quote byte
	for i := 0; i < at; i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == '{':
			if end := strings.IndexByte(text[i:], '}'); end > 0 && i+end > at {
				return false
			}
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '`' || c == '\'' && strings.IndexByte(text[i+1:], c) >= 0):
			quote = c
		}
	}
	return quote != 0
}
