package java

import "testing"

func TestPackageClause(t *testing.T) {
	for src, want := range map[string]string{
		"/* x */\npackage a.b.c;\nclass A {}": "a.b.c",
		"package  a ; // x":                   "a",
		" */package a.b; // */":               "",
		" */ package a.b;":                    "a.b",
		"class A {}":                          "",
		"// x\n\npackage a;\n":                "a",
		"*/package a;":                        "a",
		"":                                    "",
	} {
		if got := packageClause([]byte(src)); got != want {
			t.Errorf("packageClause(%q) = %q, want %q", src, got, want)
		}
	}
}
