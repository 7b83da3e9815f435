package scoring

import (
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

var repo = model.RepoRef{Owner: "acme", Name: "app"}

func TestNames(t *testing.T) {
	tests := map[string]struct {
		body string
		want []string
	}{
		"path in a span":            {"See `app/base.py` for it", []string{"app/base.py"}},
		"path with a line":          {"See `app/base.py:12` for it", []string{"app/base.py"}},
		"path in the text":          {"Look at src/core/loader.go, which does it.", []string{"src/core/loader.go"}},
		"file in the text":          {"Same as in loader.go.", []string{"loader.go"}},
		"snake case":                {"`parse_args` does that", []string{"parse_args"}},
		"call of a plain word":      {"`tokenize()` and `tokenize(x, y)` do that", []string{"tokenize"}},
		"call of an object":         {"`@app.task(retry=True)` and `logger.info()`", nil},
		"plain word":                {"`tokenize` does that", nil},
		"class":                     {"`HttpClient` and `Session` do that", []string{"HttpClient", "Session"}},
		"qualified":                 {"`HttpClient.open` or `HttpClient::close` or `HttpClient#send`", []string{"HttpClient.open", "HttpClient.close", "HttpClient.send"}},
		"own receiver":              {"`self.parse_args` and `this.loadAll()`", []string{"parse_args", "loadAll"}},
		"dotted in the text":        {"celery.app.base_task has it", []string{"celery.app.base_task"}},
		"too short":                 {"`a_b` and `Foo` and `x()`", nil},
		"keywords and builtins":     {"`None`, `ValueError`, `return`, `isinstance(x, y)`, `toString()`", nil},
		"expression":                {"`a = parse_args(x) + 1`", nil},
		"plain identifiers":         {"parse_args and HttpClient outside of spans do not count", nil},
		"abbreviations":             {"e.g. this, i.e. that, etc. v1.2.3 and 3.14", nil},
		"code block":                {"Like\n```python\nparse_args()\n`HttpClient`\n```\nso", nil},
		"longer fence":              {"````\n```\n`HttpClient`\n```\n````\n`parse_args`", []string{"parse_args"}},
		"open fence":                {"```\n`HttpClient`", nil},
		"code block in a list":      {"1. Consider this:\n\n    ```py\n    # see app/base.py and Server.close_all()\n    ```", nil},
		"indented block":            {"Consider this:\n\n    open app/base_one.py\n\nDone.", nil},
		"code in HTML":              {"<pre>\n<!-- app/base.py -->\n</pre>", nil},
		"quote":                     {"> `HttpClient`\nno", nil},
		"hidden remark":             {"<!-- `HttpClient` --> and <!-- `parse_args`", nil},
		"link to the repository":    {"https://github.com/acme/app/blob/abc123/src/core/x.go#L10-L12", []string{"src/core/x.go"}},
		"link to another one":       {"https://github.com/other/app/blob/abc123/src/core/x.go and https://docs.example.org/guide/loader.py", nil},
		"each once":                 {"`HttpClient` `HttpClient` app/base.py `app/base.py`", []string{"HttpClient", "app/base.py"}},
		"carriage returns":          {"x\r\n```\r\n`HttpClient`\r\n```\r\n`parse_args`\r\n", []string{"parse_args"}},
		"decorator and dereference": {"`@lru_cached` and `*RingBuffer`", []string{"lru_cached", "RingBuffer"}},
	}
	for name, tt := range tests {
		if got := namesIn(tt.body, repo); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add("See `app/base.py` and `HttpClient.open(x)`, https://github.com/acme/app/blob/abc/x.go\n```\nx\n```")
	f.Fuzz(func(t *testing.T, body string) {
		names := namesIn(body, repo)
		if len(names) > maxNames {
			t.Fatalf("%d names", len(names))
		}
		for _, n := range names {
			if strings.ContainsAny(n, "\n`") {
				t.Fatalf("%q is no name", n)
			}
		}
	})
}
