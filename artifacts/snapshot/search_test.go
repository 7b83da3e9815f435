package snapshot

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// review is a pull request that goes on after its review: base, a first commit with
// a line that the second drops, the second, which was reviewed, and what was merged,
// which has the dropped line again and a new one.
func review() (o objects, reviewed, final Record, later Later) {
	o = objects{}
	of := func(minute int, text string, parents ...string) string {
		return o.commit(minute, o.tree(line{"100644", "f", o.blob(text)}), parents...)
	}
	base := of(0, "head\ntail\n")
	first := of(1, "head\nonly for a while, this line is\ntail\n", base)
	second := of(2, "head\nthe line that was reviewed\r\ntail\n", first)
	merged := of(3, "head\nonly for a while, this line is\nthe line that was reviewed\r\nthe line that the review asked for\ntail\n", second)
	reviewed = Record{TaskID: "r__1", Head: second, Base: base, Shallow: []string{base}}
	final = Record{TaskID: "r__1", Head: merged, Base: base, Shallow: []string{base}}
	later = Later{
		TaskID:   "r__1",
		Lines:    []string{"only for a while, this line is", "the line that was reviewed", "the line that the review asked for", "tail"},
		Passages: []string{"review asked for", "was reviewed\r\nta", "short"},
		Commits:  []string{merged, first},
	}
	return o, reviewed, final, later
}

func found(t *testing.T, o objects, later []Later, records ...Record) []Finding {
	t.Helper()
	r, err := NewReader(bytes.NewReader(written(t, planned(t, o, records...))), DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := r.Search(t.Context(), later)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i].Object = ""
	}
	return got
}

// TestSearch: of what came later nothing is found, but what the pull request had
// before; lines that the revision or the fork point have are no finding.
func TestSearch(t *testing.T) {
	o, reviewed, _, later := review()
	want := []Finding{
		{TaskID: "r__1", Kind: FoundLine, Text: "only for a while, this line is"},
		{TaskID: "r__1", Kind: FoundPassage, Text: "was reviewed\r\nta"}, // passages are found wherever they are
	}
	if d := cmp.Diff(want, found(t, o, []Later{later}, reviewed)); d != "" {
		t.Error(d)
	}
}

// TestSearch_Broken: where a snapshot does hold what came later, it is found.
func TestSearch_Broken(t *testing.T) {
	o, reviewed, final, later := review()
	tagged := o.add(kindCommit, string(o[reviewed.Head].raw)+"later: "+final.Head+"\n")
	for name, tc := range map[string]struct {
		record Record
		want   []Finding
	}{
		"the final head's files": {record: Record{TaskID: "r__1", Head: o.commit(9, treeOf(o, final.Head), final.Head), Base: final.Head, Shallow: []string{final.Head}},
			want: []Finding{{TaskID: "r__1", Kind: FoundPassage, Text: "review asked for"}, {TaskID: "r__1", Kind: FoundPassage, Text: "was reviewed\r\nth"}}},
		"a commit in between": {record: Record{TaskID: "r__1", Head: o.commit(9, treeOf(o, reviewed.Head), final.Head), Base: reviewed.Base, Shallow: reviewed.Shallow},
			want: []Finding{
				{TaskID: "r__1", Kind: FoundLine, Text: "only for a while, this line is"}, {TaskID: "r__1", Kind: FoundLine, Text: "the line that the review asked for"},
				{TaskID: "r__1", Kind: FoundPassage, Text: "review asked for"}, {TaskID: "r__1", Kind: FoundPassage, Text: "was reviewed\r\nth"},
			}},
		"a commit's message": {record: Record{TaskID: "r__1", Head: tagged, Base: reviewed.Base, Shallow: reviewed.Shallow},
			want: []Finding{{TaskID: "r__1", Kind: FoundCommit, Text: final.Head}, {TaskID: "r__1", Kind: FoundLine, Text: "only for a while, this line is"}}},
	} {
		t.Run(name, func(t *testing.T) {
			later := later
			later.Passages = []string{"review asked for", "was reviewed\r\nth"}
			if d := cmp.Diff(tc.want, found(t, o, []Later{later}, tc.record)); d != "" {
				t.Error(d)
			}
		})
	}
}

// treeOf is a commit's tree.
func treeOf(o objects, commit string) string {
	return string(o[commit].raw[len("tree ") : len("tree ")+40])
}

// TestSearch_Others: what is later of one record may be an object of another, and
// is no finding there.
func TestSearch_Others(t *testing.T) {
	o, reviewed, final, later := review()
	final.TaskID = "r__2"
	for _, f := range found(t, o, []Later{later}, reviewed, final) {
		if f.Text == "the line that the review asked for" || f.Text == "review asked for" || f.TaskID != "r__1" {
			t.Errorf("found %v", f)
		}
	}
}
