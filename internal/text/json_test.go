package text

import (
	"strings"
	"testing"
)

func TestDecodeLine(t *testing.T) {
	for line, want := range map[string]string{
		`{"name": "zoe"}`:            "",
		" {\"name\": \"zoe\"} \r\n":  "",
		`{"name": "zoe"} {}`:         "more than one value",
		`{"name": "zoe"}]`:           "more than one value",
		`{"title": "zoe"}`:           `unknown field "title"`,
		`{"name": 7}`:                "cannot unmarshal number",
		`{"name": "zoe"`:             "unexpected EOF",
		"":                           "EOF",
		strings.Repeat("[", 100_000): "exceeded max depth",
	} {
		var v struct{ Name string }
		switch err := DecodeLine([]byte(line), &v); {
		case want == "" && (err != nil || v.Name != "zoe"):
			t.Errorf("%.40q: %q, %v", line, v.Name, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%.40q: %v, want %q", line, err, want)
		}
	}
}
