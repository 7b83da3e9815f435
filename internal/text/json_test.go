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
		`{"name": 7}`:                "Name is a JSON number, want a text",
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

func TestPlainJSON_NamesNoGoType(t *testing.T) {
	var v struct {
		Parameters struct {
			Seeds []int `json:"seeds"`
			Name  string
		} `json:"parameters"`
	}
	for line, want := range map[string]string{
		`{"parameters": 7}`:                "parameters is a JSON number, want an object",
		`{"parameters": {"seeds": "x"}}`:   "parameters.seeds is a JSON string, want a list",
		`{"parameters": {"seeds": [1.5]}}`: "parameters.seeds is a JSON number 1.5, want a whole number",
		`{"parameters": {"Name": {}}}`:     "parameters.Name is a JSON object, want a text",
		`[]`:                               "the value is a JSON array, want an object",
	} {
		if err := DecodeLine([]byte(line), &v); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}
