package config

import (
	"reflect"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// What a dataset holds reads back as itself and writes the same text again.
func TestCanonicalRoundTrip(t *testing.T) {
	c, err := Parse("x.yaml", []byte(`version: 1
dataset: {name: mine, freeze_date: 2026-04-15, description: "a: b # c"}
repositories: [a/b, c/d, e/f]
filters: {max_ai_share: 0.25}
takedown: {repositories: [{name: C/D, date: 2026-01-02}], accounts: [{name: ada, date: 2026-01-03}]}
github_app: {app_id: 7}
`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Canonical([]model.Tombstone{{Date: "2026-01-02", Kind: "repository"}, {Date: "2026-01-03", Kind: "account"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"C/D", "c/d", "ada", "app_id"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%q is in the text:\n%s", secret, text)
		}
	}
	again, err := Parse("config.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !again.Frozen || len(again.Takedown.Tombstones) != 2 || again.Filters.MaxAIShare != 0.25 || !reflect.DeepEqual([]string(again.Repositories), []string{"a/b", "e/f"}) {
		t.Errorf("%+v", again)
	}
	twice, err := again.Canonical([]model.Tombstone{{Date: "2030-01-01", Kind: "other"}})
	if err != nil || string(twice) != string(text) {
		t.Errorf("%v, then:\n%s\nfirst:\n%s", err, twice, text)
	}
}

// A list of one entry, of whatever kind, leaves its digest in what a dataset holds, and
// nothing else.
func TestCanonical_OneTakedown(t *testing.T) {
	for kind, name := range map[string]string{"pull_requests": "a/b#7", "repositories": "c/d", "accounts": "ada"} {
		c, err := Parse("x.yaml", []byte("version: 1\ndataset: {name: mine, freeze_date: 2026-04-15}\nrepositories: [a/b]\ntakedown: {"+kind+": [{name: "+name+", date: 2026-01-02}]}\n"))
		if err != nil {
			t.Fatal(err)
		}
		text, err := c.Canonical(nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse("config.yaml", text)
		if err != nil || len(again.Takedown.SHA256) != 64 || strings.Contains(string(text), name) {
			t.Errorf("%s: %v\n%s", kind, err, text)
		}
	}
}

// Every key of the configuration has one name in both of its forms.
func TestCanonicalHasEveryKey(t *testing.T) {
	var walk func(typ reflect.Type, at string)
	walk = func(typ reflect.Type, at string) {
		for i := range typ.NumField() {
			f := typ.Field(i)
			y, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			j, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if y != j && j != "-" && j != "" { // how to sign in has no JSON
				t.Errorf("%s%s is %q in YAML and %q in JSON", at, f.Name, y, j)
			}
			if f.Type.Kind() == reflect.Struct && f.Type.PkgPath() == typ.PkgPath() && f.Type != reflect.TypeFor[Date]() {
				walk(f.Type, at+f.Name+".")
			}
		}
	}
	walk(reflect.TypeFor[Config](), "")
}

func TestChanges(t *testing.T) {
	parse := func(text string) *Config {
		c, err := Parse("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	got, err := parse(minimal).Changes(parse(minimal + "filters: {max_added_lines: 801}\nrvs: {floor: 0.4}\nsnapshots: true\n"))
	want := []Change{{"filters.max_added_lines", "800", "801"}, {"rvs.floor", "0.35", "0.4"}, {"snapshots", "", "true"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestFrozenAndOwnConfigurationsAreToldApart(t *testing.T) {
	for name, text := range map[string]string{
		"names in a frozen one": minimal + "frozen: true\ntakedown: {accounts: [{name: ada, date: 2026-01-02}]}\n",
		"digest in one's own":   minimal + "takedown: {sha256: abc}\n",
	} {
		if _, err := Parse("x.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), "takedown") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
