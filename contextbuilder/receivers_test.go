package contextbuilder

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/syntax"
)

// TestSettings_OfTheTypeMeant: a changed line that reads a field of one type says nothing of the fields of that name
// that other types have.
func TestSettings_OfTheTypeMeant(t *testing.T) {
	base := memory{
		"app/flags.py":   "class UpgradeFlags:\n    dry_run: bool = False\n\n\nclass CleanFlags:\n    dry_run: bool = False\n",
		"app/upgrade.py": "from app.flags import UpgradeFlags\n\n\ndef upgrade(flags: UpgradeFlags):\n    if flags.dry_run:\n        return 1\n",
		"app/sweep.py":   "from app.flags import CleanFlags\n\n\ndef sweep(flags: CleanFlags):\n    if flags.dry_run:\n        return 2\n",
		"app/clean.py":   "from app.flags import CleanFlags, UpgradeFlags\n\n\ndef clean(flags: CleanFlags):\n    remove(flags)\n\n\ndef other(flags: UpgradeFlags):\n    pass\n",
	}
	layer := layerOf(t, 4, base, "app/clean.py", map[string]string{"remove(flags)": "    remove(flags, flags.dry_run)"})
	wants(t, layer, []string{"CleanFlags.dry_run", "app/sweep.py:5"}, []string{"UpgradeFlags.dry_run", "app/upgrade.py"})
}

// TestSettings_Ambiguous: where the type of what a changed line reads is unknown and many types have such a field, none
// is meant; and a flag of many commands leads to none of them.
func TestSettings_Ambiguous(t *testing.T) {
	base := memory{
		"app/flags.py": "class UpgradeFlags:\n    dry_run: bool = False\n\n\nclass CleanFlags:\n    dry_run: bool = False\n\n\ndef parse(parser):\n    pass\n",
		"app/clean.py": "from app.flags import CleanFlags, UpgradeFlags\n\n\ndef clean(flags):\n    remove(flags)\n\n\ndef other(flags: UpgradeFlags):\n    return flags.dry_run\n",
	}
	wants(t, layerOf(t, 4, base, "app/clean.py", map[string]string{"remove(flags)": "    remove(flags, flags.dry_run)"}), nil, []string{"dry_run"})
	wants(t, layerOf(t, 4, base, "app/flags.py", map[string]string{"pass": "    parser.add_argument('--dry-run')"}), nil, []string{"app/clean.py"})
}

// TestReaders_OfVariable: what another file reads of the parsed flags, or of an object of a class of its own, is not the
// variable of that name.
func TestReaders_OfVariable(t *testing.T) {
	base := memory{
		"app/__init__.py": "import os\n\napi_key = os.environ.get('APP_API_KEY')\n",
		"app/client.py":   "import app\n\n\nclass Client:\n    def send(self):\n        return self.api_key\n\n\ndef main(args):\n    print(args.api_key)\n\n\ndef other():\n    print(app.api_key)\n",
	}
	layer := layerOf(t, 4, base, "app/__init__.py", map[string]string{"api_key = os.environ.get('APP_API_KEY')": "api_key = os.environ.get('APP_API_KEY', '')"})
	wants(t, layer, []string{"APP_API_KEY", "app/client.py:14"}, []string{"app/client.py:6", "app/client.py:10"})
	base["app/local.py"] = "import app\n\n\ndef f(api_key):\n    return 1\n\n\ndef g():\n    return 2\n"
	wants(t, layerOf(t, 4, base, "app/local.py", map[string]string{"return 1": "    return api_key"}), nil, []string{"APP_API_KEY"})
	wants(t, layerOf(t, 4, base, "app/local.py", map[string]string{"return 2": "    return app.api_key"}), []string{"APP_API_KEY", "app/client.py:14"}, nil)
}

// TestReaders_OfAnotherType: who fills an option from the field of that name of another type does not read it.
func TestReaders_OfAnotherType(t *testing.T) {
	text := "package a\n\ntype queueConfig struct {\n\tPriorityLevels func() int\n}\n\n" +
		"func newQueueConfig(config *Config) *queueConfig {\n\treturn &queueConfig{PriorityLevels: func() int {\n\t\treturn config.PriorityLevels(3)\n\t}}\n}\n\n" +
		"type manager struct {\n\tconfig *queueConfig\n}\n\nfunc (m *manager) run() int {\n\treturn m.config.PriorityLevels()\n}\n"
	from := newSource("a.go", languages.Parse("a.go", []byte(text), syntax.DefaultOptions()), []byte(text))
	s := &setting{source: from, kind: syntax.Option, name: "queueConfig.PriorityLevels", options: "queueConfig", field: "PriorityLevels", line: 4}
	(&finder{opts: DefaultOptions()}).readersIn(s, from, false)
	if len(s.readers) != 1 || s.readers[0].line != 18 {
		t.Errorf("readers: %v", s.readers)
	}
}

func TestTypeOf(t *testing.T) {
	for _, test := range []struct{ path, source, receiver, want string }{
		{"a.py", "class A:\n    def __init__(self, conf: b.Config):\n        self.conf = conf\n        use(1)\n", "self.conf", "Config"},
		{"a.py", "def f():\n    conf = Config()\n    use(1)\n", "conf", "Config"},
		{"a.py", "def f():\n    conf = load()\n    use(1)\n", "conf", ""},
		{"a.go", "package a\n\ntype A struct {\n\tconf *b.Config\n}\n\nfunc (a *A) f() {\n\tuse(1)\n}\n", "a.conf", "Config"},
		{"a.rs", "struct A {\n    conf: Arc<Config>,\n}\n\nimpl A {\n    fn f(&self) {\n        use_(1)\n    }\n}\n", "self.conf", "Config"},
		{"a.rs", "fn f(conf: &Config) {\n    use_(1)\n}\n", "conf", "Config"},
		{"a.ts", "class A {\n  private conf: Config;\n  f() {\n    use(1);\n  }\n}\n", "this.conf", "Config"},
		{"a.ts", "function f(conf?: Config) {\n  use(1);\n}\n", "conf", "Config"},
		{"A.java", "class A {\n  void f(Config conf) {\n    use(1);\n  }\n}\n", "conf", "Config"},
		{"A.cs", "class A {\n  Config conf;\n  void F() {\n    use(1);\n  }\n}\n", "this.conf", "Config"},
		{"a.go", "package a\n\nfunc f(conf *Config) {\n\tuse(1)\n}\n", "load()", ""},
		{"a.go", "package a\n\nfunc f(conf *Config) {\n\tuse(1)\n}\n", ".conf", ""},
	} {
		file := languages.Parse(test.path, []byte(test.source), syntax.DefaultOptions())
		line := 1 + strings.Count(test.source[:strings.LastIndex(test.source, "use")], "\n")
		if got := typeOf(file, file.Enclosing(line), test.receiver); got != test.want {
			t.Errorf("%s: %s is %q, not %q", test.source, test.receiver, got, test.want)
		}
	}
}

func TestReceivers(t *testing.T) {
	for line, want := range map[string]string{
		"use(a.conf.limit)":         "a.conf",
		"if !opts?.limit {":         "opts",
		"f(...opts.limit)":          "opts",
		"load().limit + b.limits":   "load()",
		"f(x).conf.limit":           ".conf",
		"a.limit = (b.limit)":       "a b",
		"limit":                     "",
		"call(one, self.conf.limit": "self.conf",
	} {
		if got := strings.Join(receivers(line, "limit"), " "); got != want {
			t.Errorf("%s: %q, not %q", line, got, want)
		}
	}
}
