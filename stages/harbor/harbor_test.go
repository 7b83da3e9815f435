package harbor

import (
	"strings"
	"testing"
)

// TestTaskName: Harbor refuses names that begin with a dot, a dash or an underscore, or
// hold two dots.
func TestTaskName(t *testing.T) {
	for id, want := range map[string]string{
		"celery__10184":  "celery__10184",
		"a.b-c__1":       "a.b-c__1",
		".github__3":     "record-",
		"_x__3":          "record-",
		"-x__3":          "record-",
		"a..b__3":        "record-",
		"docker__x.y__9": "docker__x.y__9",
	} {
		got := taskName(id)
		if !isName(got) || got != want && (want != "record-" || len(got) != 23 || !strings.HasPrefix(got, want)) {
			t.Errorf("%s: %s", id, got)
		}
	}
	if taskName(".a__1") == taskName("_a__1") {
		t.Error("two records have one name")
	}
}

func TestOptions_Check(t *testing.T) {
	image := "python:3.13@sha256:" + strings.Repeat("a", 64)
	for o, want := range map[*Options]string{
		{Image: image, Organization: "prforge", Name: "x"}:                                  "",
		{Image: "python:3.13", Organization: "prforge", Name: "x"}:                          "is not NAME@sha256:DIGEST",
		{Image: image, Organization: "a..b", Name: "x"}:                                     "is no name",
		{Image: image, Organization: "prforge", Name: "a/b"}:                                "is no name",
		{Image: image, Organization: "prforge", Name: "x", Allow: []string{"API.org"}}:      "no name of a host",
		{Image: image, Organization: "prforge", Name: "x", Allow: []string{"api.org:8443"}}: "no name of a host",
	} {
		if err := o.Check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", *o, err)
		}
	}
}
