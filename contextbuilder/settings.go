package contextbuilder

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/contextbuilder/syntax"
)

// setting is one entry of configuration: where it is defined and what it fills.
type setting struct {
	*source
	kind    string // what the user sets
	name    string // as the user writes it
	field   string // the variable, field or constant that holds the value; "" if it could not be told
	line    int    // where it is defined
	added   bool   // by the change: then source is the file after it
	readers []reader
}

// reader is a line that reads a setting.
type reader struct {
	*source
	line int
}

// The kinds of settings.
const (
	environment = "environment variable"
	flag        = "flag"
	key         = "key"
	property    = "system property"
	tag         = "tag"
	member      = "option"
	constant    = "constant"
)

// pattern finds a setting in a line. The group "name" is its name, the group
// "field" what it fills, where the pattern tells.
type pattern struct {
	family  syntax.Family
	kind    string
	hint    string // a line without it does not match
	matches *regexp.Regexp
}

// quotedName matches a name between quotes of any kind.
const quotedName = `["'` + "`" + `](?P<name>[\w.\-:/]+)["'` + "`" + `]`

// patterns are the ways in which the five languages' usual libraries name
// settings. They are matched against single lines.
var patterns = []pattern{
	{syntax.FamilyPython, environment, "env", regexp.MustCompile(`\b(?:environ(?:\.get|\.setdefault|\.pop)?\s*[(\[]|getenv\(|\benv(?:\.\w+)?\()\s*` + quotedName)},
	{syntax.FamilyPython, flag, "-", regexp.MustCompile(`\b(?:add_argument|option|Option)\(\s*(?:["']-\w["'],\s*)?["'](?P<name>--?[\w-]+)["']`)},
	{syntax.FamilyPython, key, "onf", regexp.MustCompile(`\b(?:config|conf)(?:\.get|\.set|\.pop|\.setdefault)?\s*[(\[]\s*` + quotedName)},
	{syntax.FamilyPython, key, "ettings", regexp.MustCompile(`\bsettings(?:\.get)?\s*[(\[]\s*` + quotedName)},
	{syntax.FamilyPython, key, "Option(", regexp.MustCompile(`^\s*(?P<name>(?P<field>\w+))\s*=\s*Option\(`)},
	{syntax.FamilyPython, member, "ield(", regexp.MustCompile(`^\s+(?P<name>(?P<field>\w+))\s*:[^=]+=\s*(?:\w+\.)?[Ff]ield\(`)},
	{syntax.FamilyPython, member, "attr", regexp.MustCompile(`^\s+(?P<name>(?P<field>\w+))\s*(?::[^=]+)?=\s*attrs?\.\w+\(`)},
	{syntax.FamilyScript, environment, "env", regexp.MustCompile(`\b(?:process|import\.meta|Deno|Bun)\.env(?:\.get\(\s*["'])?[.\["'` + "`" + `]*(?P<name>[A-Za-z_]\w*)`)},
	{syntax.FamilyScript, flag, "option(", regexp.MustCompile(`\.(?:option|requiredOption|addOption)\(\s*["'](?P<name>[\w\-, <>\[\].]+)["']`)},
	{syntax.FamilyScript, key, "(", regexp.MustCompile(`\b(?:app|this|config|conf|settings|nconf)\.(?:get|set|enable|disable|enabled|disabled|has)\(\s*["'](?P<name>[\w .\-]+)["']`)},
	{syntax.FamilyGo, environment, "env", regexp.MustCompile(`\b(?:[Gg]etenv|[Ll]ookupEnv|BindEnv|GetEnv\w*)\(\s*` + quotedName)},
	{syntax.FamilyGo, environment, "Env", regexp.MustCompile(`\b(?:Getenv|LookupEnv|BindEnv|GetEnv\w*)\(\s*` + quotedName)},
	{syntax.FamilyGo, flag, "(", regexp.MustCompile(`\b(?:[fF]lag\w*|Flags\(\)|PersistentFlags\(\)|fs|pflag)\.(?:String|Bool|U?[Ii]nt|Float|Duration|Count|IP|Func|Text|Var|Lookup|Changed|Get)\w*\(\s*(?:&?(?P<field>[\w.]+)\s*,\s*)?` + quotedName)},
	{syntax.FamilyGo, key, "iper", regexp.MustCompile(`\bviper\.(?:Get|Set|Is|Bind)\w*\(\s*` + quotedName)},
	{syntax.FamilyGo, tag, ":\"", regexp.MustCompile("^\\s*(?P<field>\\w+)\\s+\\S.*`.*\\b(?:json|yaml|mapstructure|env|envconfig|toml|koanf|hcl|long|flag):\"(?P<name>[\\w.\\-]+)")},
	{syntax.FamilyJava, environment, "getenv", regexp.MustCompile(`\bgetenv\(\s*` + quotedName)},
	{syntax.FamilyJava, property, "(", regexp.MustCompile(`\b(?:System\.getProperty|Boolean\.getBoolean|Integer\.getInteger|Long\.getLong|\w*[Pp]ropert(?:y|ies)\w*\.get\w*)\(\s*` + quotedName)},
	{syntax.FamilyJava, property, "@Value", regexp.MustCompile(`@Value\(\s*"\$\{(?P<name>[\w.\-]+)`)},
	{syntax.FamilyJava, flag, "@", regexp.MustCompile(`@(?:\w+\.)?(?:Option|Parameter)\([^"]*"(?P<name>--?[\w-]+)"`)},
	{syntax.FamilyJava, key, "valueOf(", regexp.MustCompile(`\bvalueOf\((?:\w+\.class,\s*)?"(?P<name>[A-Z][A-Z0-9_]{3,})"`)},
}

// optionType matches the names of types whose fields are settings.
var optionType = regexp.MustCompile(`(?i)(?:config|configuration|settings?|options?|opts|flags|params|properties)$`)

// optionField matches a field of such a type, by family.
var optionField = map[syntax.Family]*regexp.Regexp{
	syntax.FamilyPython: regexp.MustCompile(`^\s+(?P<name>[a-zA-Z]\w+)\s*(?::\s*[\w\[\]., |"']+)?(?:=\s*\S.*|:\s*\w.*)$`),
	syntax.FamilyScript: regexp.MustCompile(`^\s+(?:(?:public|private|protected|readonly|static)\s+)*(?P<name>[a-zA-Z]\w+)[?!]?\s*:\s*\S`),
	syntax.FamilyGo:     regexp.MustCompile(`^\s+(?P<name>[a-zA-Z]\w+)\s+[\w*\[\]]`),
	syntax.FamilyJava:   regexp.MustCompile(`^\s+(?:(?:public|private|protected|static|final|volatile)\s+)+[\w<>\[\], .?]+\s(?P<name>[a-zA-Z]\w+)\s*(?:=.*)?;`),
}

// defaultName matches the names of constants that are settings fixed in code:
// limits, times and defaults.
var defaultName = regexp.MustCompile(`(?i)(?:^|_)(?:default|max|min|timeout|limit|size|interval|retries|retry|port|host|ttl|delay|threshold|capacity|enabled?|disabled?)(?:$|_)|^default[A-Z]|^Default|[a-z](?:Timeout|Limit|Size|Interval|Retries|Port|Delay|Threshold)$`)

// literal matches a value that is written out.
var literal = regexp.MustCompile(`[=:]\s*(?:["'` + "`" + `\d-]|true\b|false\b|True\b|False\b|None\b|null\b|\w+\.(?:Second|Minute|Hour|Millisecond|Duration)|TimeUnit|Duration|\d)`)

// assigned matches the target of an assignment at the end of the text before
// the value.
var assigned = regexp.MustCompile(`(?:^|[\s.,({])(?P<name>[A-Za-z_$][\w$]*)["']?\s*(?::\s*[\w.\[\]| ]+)?(?:\s*:?=|\s*:)[^=]*$`)

// settingsOf lists the settings that a file defines on some lines.
func settingsOf(s *source, lines func(int) bool) []*setting {
	var out []*setting
	family := s.file.Language.Family()
	for n := 1; n <= len(s.lines); n++ {
		text := s.line(n)
		if len(text) > maxSettingLine || !lines(n) {
			continue
		}
		found := false
		for _, p := range patterns {
			if p.family != family || !strings.Contains(text, p.hint) {
				continue
			}
			if m := p.matches.FindStringSubmatchIndex(text); m != nil {
				out = append(out, newSetting(s, n, p, text, m))
				found = true
				break
			}
		}
		if !found {
			if o := optionAt(s, n, text); o != nil {
				out = append(out, o)
			}
		}
	}
	return out
}

// maxSettingLine is the longest line, in bytes, that is searched: longer ones
// were not written by a person.
const maxSettingLine = 400

func newSetting(s *source, n int, p pattern, text string, m []int) *setting {
	group := func(name string) string {
		i := p.matches.SubexpIndex(name)
		if i < 0 || m[2*i] < 0 {
			return ""
		}
		return text[m[2*i]:m[2*i+1]]
	}
	out := &setting{source: s, kind: p.kind, name: strings.TrimSpace(group("name")), line: n, field: group("field")}
	if dot := strings.LastIndex(out.field, "."); dot >= 0 {
		out.field = out.field[dot+1:]
	}
	if out.field == "" {
		out.field = fieldAt(s, n, text[:m[0]])
	}
	if out.field == "" && p.kind == flag {
		out.field = flagField(out.name)
	}
	return out
}

// fieldAt tells what the value on line n is assigned to: the target before it
// on the line, or on the line above where the statement began.
func fieldAt(s *source, n int, before string) string {
	if m := assigned.FindStringSubmatch(before); m != nil {
		return m[1]
	}
	if above := strings.TrimRight(s.line(n-1), " \t"); strings.HasSuffix(above, "(") || strings.HasSuffix(above, "=") {
		if m := assigned.FindStringSubmatch(strings.TrimRight(above, "(")); m != nil {
			return m[1]
		}
	}
	if def := s.file.Enclosing(n); def >= 0 {
		switch d := &s.file.Definitions[def]; d.Kind {
		case syntax.Constant, syntax.Variable, syntax.Field:
			return d.Name
		}
	}
	return ""
}

// flagField is the name by which the usual parsers hand out a flag's value.
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

// optionAt is the setting that line n defines by being a field of an options
// type, or a constant that is a default; nil if it is neither.
func optionAt(s *source, n int, text string) *setting {
	def := s.file.Enclosing(n)
	if def < 0 {
		return nil
	}
	d := &s.file.Definitions[def]
	switch d.Kind {
	case syntax.Constant, syntax.Variable, syntax.Field:
		if isDefault(s.file, def) && strings.Contains(text, d.Name) && literal.MatchString(text) {
			return &setting{source: s, kind: constant, name: d.Name, field: d.Name, line: n}
		}
	}
	for at := def; at >= 0; at = s.file.Definitions[at].Parent {
		d := &s.file.Definitions[at]
		switch {
		case isFunction(d.Kind):
			return nil
		case d.Kind == syntax.Class || d.Kind == syntax.Struct || d.Kind == syntax.Interface || d.Kind == syntax.Record || d.Kind == syntax.Type:
			if !optionType.MatchString(d.Name) || n == d.Lines.Start || isComment(s.file.Language, strings.TrimSpace(text)) {
				return nil
			}
			pattern := optionField[s.file.Language.Family()]
			if m := pattern.FindStringSubmatch(text); m != nil {
				name := m[pattern.SubexpIndex("name")]
				return &setting{source: s, kind: member, name: d.Name + "." + name, field: name, line: n}
			}
			return nil
		}
	}
	return nil
}

// isDefault reports whether a definition outside functions is a constant that
// fixes a setting.
func isDefault(f *syntax.File, def int) bool {
	return !isLocal(f, def) && defaultName.MatchString(f.Definitions[def].Name)
}

// settings lists the settings that the change touches: those defined on changed
// lines, in the definitions around them, and those that either reads.
func (f *finder) settings() []*setting {
	var out []*setting
	add := func(found []*setting) {
		for _, s := range found {
			known := slices.ContainsFunc(out, func(o *setting) bool { return o.kind == s.kind && o.name == s.name && o.field == s.field })
			if !known && len(out) < f.opts.MaxRelated {
				out = append(out, s)
			}
		}
	}
	for _, s := range f.subjects {
		if s.old != nil {
			deleted := s.diff.Deleted()
			add(settingsOf(s.old, func(n int) bool { return deleted[n] }))
		}
		if s.new != nil {
			lines := s.diff.Added()
			found := settingsOf(s.new, func(n int) bool { return lines[n] })
			for _, o := range found {
				o.added = true
			}
			add(found)
		}
	}
	for _, s := range f.subjects {
		add(f.readBy(s))
	}
	for _, s := range f.subjects {
		if s.old != nil {
			add(settingsOf(s.old, s.inTouched))
		}
	}
	for _, s := range out {
		f.addReaders(s)
	}
	return slices.DeleteFunc(out, func(s *setting) bool {
		return len(s.readers) == 0 && (s.kind == constant || s.kind == member || s.field == "")
	})
}

// inTouched reports whether a line of the old file lies in a function that
// changed. Of a type only the changed lines count.
func (s *subject) inTouched(n int) bool {
	for _, def := range s.touched {
		if d := &s.was.Definitions[def]; isFunction(d.Kind) && d.Lines.Contains(n) {
			return true
		}
	}
	return false
}

// readBy lists the settings that changed lines read: those of the files that
// the changed one imports, and of its own.
func (f *finder) readBy(s *subject) []*setting {
	var from []*source
	if s.old != nil {
		from = append(from, s.old)
	}
	graph, path := f.graph, s.diff.OldPath
	if f.head != nil && s.is != nil {
		graph, path = f.head, s.diff.NewPath
	}
	for _, edge := range graph.Imports(path) {
		if to := f.sources.get(edge.To); to != nil && !isTest(edge.To) && len(from) < f.opts.MaxRelated {
			from = append(from, to)
		}
	}
	var out []*setting
	for _, file := range from {
		for _, o := range settingsOf(file, func(int) bool { return true }) {
			if distinctive(o.field) && s.changed[o.field] {
				out = append(out, o)
			}
		}
	}
	return out
}

// distinctive reports whether a name is unlikely to mean something else in
// another place: it has several words or is long.
func distinctive(name string) bool {
	const long = 9
	lowered := strings.ToLower(name)
	return len(name) >= long || strings.Contains(strings.Trim(name, "_"), "_") || len(name) > 3 && name != lowered && name[1:] != lowered[1:]
}

// addReaders looks for the lines that read a setting: in its own file, in those
// that import it, and in the changed ones, which may get at it by ways that are
// no import. Of changed files the text after the change counts for a setting
// that the change adds.
func (f *finder) addReaders(s *setting) {
	if s.word() == "" {
		return
	}
	f.readersIn(s, s.source, false)
	if s.field != "" && !distinctive(s.field) {
		return
	}
	seen := map[string]bool{s.path: true}
	add := func(from *source) {
		if from != nil && !isTest(from.path) && !seen[from.path] {
			seen[from.path] = true
			f.readersIn(s, from, true)
		}
	}
	for _, o := range f.subjects {
		if s.added {
			add(o.new)
		} else {
			add(o.old)
		}
	}
	for _, edge := range f.graph.ImportedBy(s.path) {
		if len(s.readers) < f.opts.MaxReaders && !seen[edge.From] {
			add(f.sources.get(edge.From))
		}
	}
}

// word is what a line that reads the setting says: the field that it fills, or
// the name itself where it fills none, as a key of a table of settings does.
func (s *setting) word() string {
	if s.field != "" {
		return s.field
	}
	return s.name
}

// readersIn adds the lines of a file that read the setting's field, one of each
// definition.
func (f *finder) readersIn(s *setting, in *source, elsewhere bool) {
	seen := map[int]bool{}
	for n := 1; n <= len(in.lines) && len(s.readers) < f.opts.MaxReaders; n++ {
		text := in.line(n)
		if in.path == s.path && n == s.line || !strings.Contains(text, s.word()) || !reads(text, s.word(), s.field == "" || elsewhere && s.kind != constant) {
			continue
		}
		def := in.file.Enclosing(n)
		if def < 0 || !isFunction(in.file.Definitions[def].Kind) || seen[def] || isComment(in.file.Language, strings.TrimSpace(text)) {
			continue
		}
		if slices.ContainsFunc(s.readers, func(r reader) bool { return r.path == in.path && r.line == n }) {
			continue
		}
		seen[def] = true
		s.readers = append(s.readers, reader{in, n})
	}
}

// reads reports whether a line uses a name other than to assign it; as a member
// of something, if asked for.
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
		if strings.HasPrefix(rest, ":=") || strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") && !strings.HasPrefix(rest, "=>") {
			continue
		}
		return true
	}
}
