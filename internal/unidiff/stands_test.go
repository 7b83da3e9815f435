package unidiff

import (
	"reflect"
	"testing"
)

const standsDiff = `diff --git a/old.py b/new.py
similarity index 80%
rename from old.py
rename to new.py
index 1..2 100644
--- a/old.py
+++ b/new.py
@@ -3,4 +3,5 @@ def f():
 one
-two
+TWO
+more
 three
 four
@@ -20,2 +21,3 @@
 twenty
+added
 last
`

func TestStands(t *testing.T) {
	d, err := Parse(standsDiff)
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		path, hunk string
		want       Standing
	}{
		"the beginning of a hunk":        {"new.py", "@@ -3,4 +3,5 @@ def f():\n one\n-two\n+TWO", Stands},
		"by the old path":                {"old.py", "@@ -3,4 +3,5 @@\n one\n-two", Stands},
		"the whole hunk":                 {"new.py", "@@ -20,2 +21,3 @@\n twenty\n+added\n last", Stands},
		"blanks at the end do not count": {"new.py", "@@ -3,4 +3,5 @@\n one  \n-two\r\n+TWO", Stands},
		"another number":                 {"new.py", "@@ -3,4 +4,5 @@\n one\n-two", Shifted},
		"another line":                   {"new.py", "@@ -3,4 +3,5 @@\n one\n-two\n+Two", Absent},
		"another kind":                   {"new.py", "@@ -3,4 +3,5 @@\n one\n two", Absent},
		"not the beginning":              {"new.py", "@@ -4,3 +4,4 @@\n-two\n+TWO", Absent},
		"another path":                   {"other.py", "@@ -3,4 +3,5 @@\n one", Absent},
		"nothing":                        {"new.py", "@@ -3,4 +3,5 @@", Absent},
	} {
		h, err := ParseExcerpt(tc.hunk)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := d.Stands(tc.path, h); got != tc.want {
			t.Errorf("%s: %d, want %d", name, got, tc.want)
		}
	}
}

func TestRuns(t *testing.T) {
	d, err := Parse(standsDiff + "diff --git a/n b/n\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []Run{{After: 3, New: 4, Deleted: []string{"two"}, Added: []string{"TWO", "more"}}, {After: 20, New: 22, Added: []string{"added"}}}
	if got := d.Files[0].Runs(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := d.Files[1].Runs(); !reflect.DeepEqual(got, []Run{{New: 1, Added: []string{"x"}}}) {
		t.Errorf("an added file: %+v", got)
	}
}

// Changes are found by their lines, in their order, whatever is around them.
func TestFindRuns(t *testing.T) {
	d, err := Parse(standsDiff)
	if err != nil {
		t.Fatal(err)
	}
	first, second := d.Files[0].Runs()[0], d.Files[0].Runs()[1]
	shifted := func(r Run) Run { r.After, r.New = r.After+7, r.New+9; return r }
	if got, ok := d.Files[0].Find([]Run{shifted(first), shifted(second)}); !ok || !reflect.DeepEqual(got, []Run{first, second}) {
		t.Errorf("%+v %t", got, ok)
	}
	for _, runs := range [][]Run{{second, first}, {{Added: []string{"added", "more"}}}} {
		if got, ok := d.Files[0].Find(runs); ok {
			t.Errorf("%+v found: %+v", runs, got)
		}
	}
}
