package contextbuilder

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/unidiff"
)

// TestSettings checks single lines of each language's usual ways to name a
// setting against kind, name and the field that it fills.
func TestSettings(t *testing.T) {
	for _, test := range []struct{ path, source, want string }{
		{"a.py", "limit = int(os.environ.get('APP_LIMIT', 3))\n", "environment variable APP_LIMIT limit"},
		{"a.py", "home = os.environ[\"HOME\"]\n", "environment variable HOME home"},
		{"a.py", "x = os.getenv(\n    'A_B')\n", "environment variable A_B x"},
		{"a.py", "from os import environ\nhome = environ.get(\"HOME\")\n", "environment variable HOME home"},
		{"a.py", "wrap = environ[\"werkzeug.debug.preserve\"]\nhost = request.environ['HTTP_HOST']\n", ""},
		{"a.py", "# limit = os.environ['APP_LIMIT']\n", ""},
		{"a.py", "options = self.app.conf.get(\n    'result_backend_transport_options', {})\n", "key result_backend_transport_options options"},
		{"a.py", "parser.add_argument('-w', '--workers', type=int)\n", "flag --workers workers"},
		{"a.py", "@click.option(\"--dry-run\", is_flag=True)\ndef f(dry_run): pass\n", "flag --dry-run dry_run"},
		{"a.py", "self.bucket = conf.get('gcs_bucket')\n", "key gcs_bucket bucket"},
		{"a.py", "class Settings(BaseSettings):\n    retries: int = Field(3)\n", "option Settings.retries retries"},
		{"a.py", "class Chunk(BaseModel):\n    retries: int = Field(3)\n", ""},
		{"a.go", "package a\n\ntype CacheConfig struct {\n\tDisk DiskConfig\n}\n", ""},
		{"a.py", "MAX_RETRIES = 3\n", ""},
		{"a.py", "NAMES = compute()\n", ""},
		{"a.js", "const port = process.env.PORT || 3000;\n", "environment variable PORT port"},
		{"a.ts", "const key = import.meta.env.VITE_KEY;\n", "environment variable VITE_KEY key"},
		{"a.js", "program.option('-p, --port <number>', 'port');\n", "flag -p, --port <number> port"},
		{"a.js", "program.requiredOption('--token <token>', 'token');\n", "flag --token <token> token"},
		{"a.js", "this.set('view engine', x);\n", "key view engine "},
		{"a.js", "res.set('Content-Type', x); this.get('Content-Type');\n", ""},
		{"a.ts", "export interface BuildOptions {\n  outDir?: string;\n}\n", "option BuildOptions.outDir outDir"},
		{"a.go", "package a\n\ntype RunOptions struct {\n\tDeclRange hcl.Range\n}\n", ""},
		{"a.go", "package a\n\nfunc f() {\n\thome := os.Getenv(\"APP_HOME\")\n}\n", "environment variable APP_HOME home"},
		{"a.go", "package a\n\nfunc f() {\n\tif v := os.Getenv(\"APP_LISTEN\"); v != \"\" { c.Listen = v }\n}\n", "environment variable APP_LISTEN Listen"},
		{"a.go", "package a\n\nfunc f() {\n\tif v, ok := os.LookupEnv(\"APP_BURST\"); ok {\n\t\tn, err := strconv.Atoi(v)\n\t}\n}\n", "environment variable APP_BURST "},
		{"a.go", "package a\n\nfunc f() {\n\tburst := lookupEnv(\"APP_BURST\")\n}\n", "environment variable APP_BURST burst"},
		{"a.go", "package a\n\nfunc f() {\n\tcmd.Flags().BoolVar(&opts.push, \"push\", false, \"\")\n}\n", "flag push push"},
		{"a.go", "package a\n\ntype CacheConfig struct {\n\tMaxAge int `json:\"max_age,omitempty\"`\n}\n", "tag max_age MaxAge"},
		{"a.go", "package a\n\ntype Row struct {\n\tMaxAge int `json:\"max_age,omitempty\"`\n}\n", ""},
		{"a.go", "package a\n\nconst DefaultTimeout = 30 * time.Second\n", ""},
		{"A.java", "class A {\n    static final boolean LEAK = SystemPropertyUtil.getBoolean(\"io.leak\", true);\n}\n", "system property io.leak LEAK"},
		{"A.java", "class A {\n    String home = System.getenv(\"HOME\");\n}\n", "environment variable HOME home"},
		{"A.java", "class A {\n    @Value(\"${app.name}\")\n    String name;\n}\n", "system property app.name name"},
	} {
		file := languages.Parse(test.path, []byte(test.source), syntax.DefaultOptions())
		var got []string
		for _, s := range settingsOf(newSource(test.path, file, []byte(test.source)), func(int) bool { return true }) {
			got = append(got, fmt.Sprintf("%s %s %s", s.kind, s.name, s.field))
		}
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s: %q, not %q", test.source, strings.Join(got, "; "), test.want)
		}
	}
}

// TestSetting_IsFieldIn: a field of options is meant where it is a member of something called options, and the file
// mentions their type.
func TestSetting_IsFieldIn(t *testing.T) {
	typed := newSource("b.ts", languages.Parse("b.ts", nil, syntax.DefaultOptions()), []byte("import { HttpOptions } from './a'\n"))
	option := &setting{kind: syntax.Option, name: "HttpOptions.baseURL", options: "HttpOptions", field: "baseURL"}
	for _, test := range []struct {
		s    *setting
		line string
		in   *source
		want bool
	}{
		{option, "fetch(options.baseURL)", nil, false},
		{option, "fetch(options.baseURL)", typed, true},
		{option, "fetch(options.baseURLs, this.config?.baseURL)", typed, true},
		{option, "fetch(options.baseURLs)", typed, false},
		{option, "fetch(claims.baseURL)", typed, false},
		{option, "fetch(`${baseURL}/v1`)", typed, false},
		{&setting{kind: syntax.Environment, name: "BASE_URL", field: "baseURL"}, "fetch(`${baseURL}/v1`)", nil, true},
	} {
		if got := test.s.isFieldIn(test.line, test.in); got != test.want {
			t.Errorf("%s means %s: %v", test.line, test.s.name, got)
		}
	}
}

func TestSetting_Copies(t *testing.T) {
	s := &setting{kind: syntax.Option, name: "ClientOptions.threadFactory", options: "ClientOptions", field: "threadFactory"}
	for line, want := range map[string]bool{
		"this.threadFactory = copy.threadFactory;":       true,
		"this.threadFactory = this.utils?.threadFactory": true,
		"threadFactory: options.threadFactory,":          true,
		"start(options.threadFactory);":                  false,
		"this.factory = options.threadFactory;":          false,
		"threadFactory = options.threadFactory.wrap();":  false,
	} {
		if s.copies(line) != want {
			t.Errorf("%s copies: %v", line, !want)
		}
	}
}

func TestReads(t *testing.T) {
	for _, test := range []struct {
		text, name string
		member     bool
		want       bool
	}{
		{"if opts.timeout > 3 {", "timeout", true, true},
		{"if timeout > 3 {", "timeout", true, false},
		{"if timeout > 3 {", "timeout", false, true},
		{"opts.timeout = 3", "timeout", true, false},
		{"opts.timeout == 3", "timeout", true, true},
		{"opts.timeout_ms", "timeout", true, false},
		{"conf['timeout'] = 3", "timeout", true, false},
		{"x = conf['timeout']", "timeout", true, true},
		{"timeout := 3; use(o.timeout)", "timeout", false, true},
		{"setattr(conf, 'timeout', 3)", "timeout", true, false},
		{"object.__setattr__(self, 'timeout', timeout)", "timeout", true, false},
		{"getattr(conf, 'timeout')", "timeout", true, true},
		{"url.searchParams.set('timeout', 3)", "timeout", true, false},
		{"settings('timeout')", "timeout", true, true},
		{"'timeout': conf.limit,", "timeout", true, false},
		{`__all__ = ["timeout"]`, "timeout", false, false},
		{`fail("no timeout is set")`, "timeout", false, false},
		{"log(f'after {conf.timeout}')", "timeout", true, true},
		{"f<'a>(x: &'a str, opts.timeout)", "timeout", true, true},
	} {
		if got := reads(test.text, test.name, test.member); got != test.want {
			t.Errorf("%q reads %s: %v", test.text, test.name, got)
		}
	}
}

// TestReaders: what only looks like a read of a setting is none.
func TestReaders(t *testing.T) {
	for _, test := range []struct {
		name, path, source, want string
	}{
		{"a field of Go", "a.go", "package a\n\ntype Options struct {\n\tDescription string\n}\n\nfunc f(o Options) string {\n\treturn o.Description\n}\n", "[8]"},
		{"a method of its name", "a.go", "package a\n\ntype Options struct {\n\tDescription string\n}\n\nfunc f(o Options, d Diagnostic) string {\n\treturn d.Description()\n}\n", "[]"},
		{"a field that is called", "a.go", "package a\n\ntype Options struct {\n\tDescription func() string\n}\n\nfunc f(o Options) string {\n\treturn o.Description()\n}\n", "[8]"},
		{"code of TypeScript", "a.ts", "interface Options {\n  chunkGraph: Graph;\n}\nfunction f(chunkGraph: Graph, o: Options) {\n  return o.chunkGraph;\n}\n", "[5]"},
		{"a method of a type", "a.ts", "interface Options {\n  stringify: boolean;\n}\nfunction f(o: Options) {\n  return o.stringify;\n}\nfunction g(o: Options) {\n  return JSON.stringify(o);\n}\n", "[5]"},
		{"declarations of TypeScript", "a.d.ts", "interface Options {\n  chunkGraph: Graph;\n}\ndeclare function f(chunkGraph: Graph, o: Options): void;\n", "[]"},
		{"a flag of one letter", "a.py", "def main():\n    parser.add_argument('-i', help='x')\n    say('without -i nothing')\n", "[]"},
		{"a flag's word elsewhere", "a.py", "def main():\n    parser.add_argument('--description')\n\ndef use(client, args):\n    client.add(description=client.description)\n    return description\n", "[]"},
		{"its member", "a.py", "def main():\n    parser.add_argument('-i', help='x')\n\ndef use(args):\n    return args.i\n", "[5]"},
	} {
		s := newSource(test.path, languages.Parse(test.path, []byte(test.source), syntax.DefaultOptions()), []byte(test.source))
		found := settingsOf(s, func(int) bool { return true })
		if len(found) != 1 {
			t.Errorf("%s: %d settings", test.name, len(found))
			continue
		}
		(&finder{opts: DefaultOptions()}).readersIn(found[0], s, false)
		var lines []int
		for _, r := range found[0].readers {
			lines = append(lines, r.line)
		}
		if got := fmt.Sprint(lines); got != test.want {
			t.Errorf("%s: read on lines %s, not %s", test.name, got, test.want)
		}
	}
}

// TestRestates: a mapping whose lines the layers above show is left out.
func TestRestates(t *testing.T) {
	text := "limit = int(os.environ.get('APP_LIMIT', 3))\n\n\ndef f():\n    return limit\n"
	from := newSource("a.py", languages.Parse("a.py", []byte(text), syntax.DefaultOptions()), []byte(text))
	s := &setting{source: from, kind: syntax.Environment, name: "APP_LIMIT", field: "limit", line: 1, readers: []reader{{from, 5}}}
	m := measure{counter: sharedCounter().Lines()}
	for _, test := range []struct {
		above []string
		empty bool
	}{
		{[]string{"-" + from.line(1), from.line(5)}, true},
		{[]string{from.line(1)}, false},
		{[]string{from.line(5)}, false},
		{nil, false},
	} {
		var above []layer
		for _, line := range test.above {
			above = append(above, newFixed(m, line))
		}
		l := newBehaviorLayer(m, &pull{related: &related{settings: []*setting{s}}}, above...)
		l.fill(500)
		if (l.text() == "") != test.empty {
			t.Errorf("below %q: %q", test.above, l.text())
		}
	}
	s = &setting{source: from, kind: syntax.Environment, name: "APP_LIMIT", field: "limit", line: 1, readers: []reader{{from, 5}, {from, 4}}}
	l := newBehaviorLayer(m, &pull{related: &related{settings: []*setting{s}}}, newFixed(m, from.line(5)))
	if l.fill(500); strings.Contains(l.text(), "a.py:5") || !strings.Contains(l.text(), "a.py:4") {
		t.Errorf("one of two readers is shown: %q", l.text())
	}
	s = &setting{source: from, kind: syntax.Option, name: "AppConfig.limit", options: "AppConfig", field: "limit", line: 1, readers: []reader{{from, 5}}}
	l = newBehaviorLayer(m, &pull{related: &related{settings: []*setting{s}}}, newFixed(m, from.line(5)))
	if l.fill(500); l.text() != "" {
		t.Errorf("an option whose reader is shown: %q", l.text())
	}
}

// TestRewritten: a field that was only aligned anew is not changed.
func TestRewritten(t *testing.T) {
	const base, head = "package a\n\ntype RunOptions struct {\n\tAge int\n\tSize int\n}\n", "package a\n\ntype RunOptions struct {\n\tAge   int\n\tSize  bool\n\tAdded int\n}\n"
	diff := mustParse(t, "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,6 +1,7 @@\n package a\n \n type RunOptions struct {\n-\tAge int\n-\tSize int\n+\tAge   int\n+\tSize  bool\n+\tAdded int\n }\n")
	s := &changedFile{change: &change{diff: diff.Files[0]}}
	lines := func(text string, changed map[int]bool, other unidiff.Kind) string {
		from := newSource("a.go", languages.Parse("a.go", []byte(text), syntax.DefaultOptions()), []byte(text))
		var names []string
		for _, o := range settingsOf(from, s.rewritten(from, changed, other)) {
			names = append(names, o.field)
		}
		return strings.Join(names, " ")
	}
	if got := lines(base, s.diff.Deleted(), unidiff.Added); got != "Size" {
		t.Errorf("deleted: %q", got)
	}
	if got := lines(head, s.diff.Added(), unidiff.Deleted); got != "Size Added" {
		t.Errorf("added: %q", got)
	}
}
