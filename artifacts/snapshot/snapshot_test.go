package snapshot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// history is two records that have commits in common: the second is stacked on the
// first, into which the base branch was merged.
func history() (objects, []Record) {
	o := objects{}
	file := func(n int, name string) line {
		return line{"100644", name, o.blob(strings.Repeat(fmt.Sprintf("line of %s\n", name), 20) + strconv.Itoa(n) + "\n")}
	}
	main0 := o.commit(0, o.tree(file(0, "a"), file(0, "b")))
	main1 := o.commit(1, o.tree(file(1, "a"), file(0, "b")), main0)
	own0 := o.commit(2, o.tree(file(0, "a"), file(2, "b")), main0)
	merge := o.commit(3, o.tree(file(1, "a"), file(2, "b")), own0, main1)
	stacked := o.commit(4, o.tree(file(1, "a"), file(4, "b"), line{"40000", "sub", o.tree(file(0, "c"))}), merge)
	ends := []string{main0, main1}
	if main1 < main0 {
		ends = []string{main1, main0}
	}
	return o, []Record{
		{TaskID: "r__1", Head: merge, Base: main1, Shallow: ends},
		{TaskID: "r__2", Head: stacked, Base: merge, Shallow: []string{merge}},
	}
}

// TestWrite_Bytes pins every byte: of a file, objects in their order, and of what
// packs it. If the module that packs changes its output, this test says so before
// anybody's files differ.
func TestWrite_Bytes(t *testing.T) {
	o, records := history()
	words := strings.Fields("the quick brown fox jumps over lazy dogs while rain falls on quiet hills")
	var text strings.Builder
	for n := uint32(1); text.Len() < 600_000; n = n*1664525 + 1013904223 {
		text.WriteString(words[n>>16%uint32(len(words))] + strconv.Itoa(int(n>>28)) + "\n")
	}
	base := o.commit(5, o.tree(line{"100644", "text", o.blob(text.String())}))
	head := o.commit(6, o.tree(line{"100644", "text", o.blob(strings.Replace(text.String(), "quiet", "loud", 100))}), base)
	records = append(records, Record{TaskID: "r__3", Head: head, Base: base, Shallow: []string{base}})
	file := written(t, planned(t, o, records...))
	for what, got := range map[string][]byte{
		"9621afbe2bd1aa9745405e7ec0bd20b6781ac26ee20b653527641537c5557141": unpacked(t, file),
		"f48465ecd9990a3f557d83631af2790dea42669b477f3d5d553238493f707932": file,
	} {
		if sum := sha256.Sum256(got); hex.EncodeToString(sum[:]) != what {
			t.Errorf("%d bytes with SHA-256 %x, want %s", len(got), sum, what)
		}
	}
}

// TestWrite_RecordOrder: the bytes do not depend on the order in which records are
// given.
func TestWrite_RecordOrder(t *testing.T) {
	o, records := history()
	a := written(t, planned(t, o, records...))
	b := written(t, planned(t, o, records[1], records[0]))
	if !bytes.Equal(a, b) {
		t.Error("another order of records gives other bytes")
	}
}

// TestWrite_FromGit: the bytes do not depend on how git keeps the objects.
func TestWrite_FromGit(t *testing.T) {
	r := newRepo(t)
	r.write("dir/a.txt", strings.Repeat("a line\n", 500))
	base := r.commit("base")
	r.write("dir/a.txt", strings.Repeat("a line\n", 499)+"another\n")
	r.write("b.bin", "\x00\x01\xff")
	head := r.commit("head")
	record := Record{TaskID: "r__1", Head: head, Base: base, Shallow: []string{base}}
	loose := written(t, planned(t, r, record))
	r.git("repack", "-adfq", "--depth=50", "--window=50")
	packed := written(t, planned(t, r, record))
	if !bytes.Equal(loose, packed) {
		t.Error("packed by git, the same objects give other bytes")
	}
}

func TestCheck_Stats(t *testing.T) {
	o, records := history()
	got, err := Check(t.Context(), bytes.NewReader(written(t, planned(t, o, records...))), DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	want := []Stat{
		{Repository: "o/r", Record: records[0], Commits: 2, Boundary: 2, Trees: 4, Files: 4, Bytes: got.Stats[0].Bytes, Work: Work{2, 404}},
		{Repository: "o/r", Record: records[1], Commits: 1, Boundary: 1, Trees: 3, Files: 4, Bytes: got.Stats[1].Bytes, Work: Work{3, 606}},
	}
	if d := cmp.Diff(want, got.Stats); d != "" {
		t.Error(d)
	}
	if got.Objects != 5+6+6 {
		t.Errorf("%d objects", got.Objects)
	}
}

// TestCheck_LaterDates: a commit that claims to be later than the revision that
// descends from it is written down.
func TestCheck_LaterDates(t *testing.T) {
	o := objects{}
	tree := o.tree(line{"100644", "a", o.blob("a\n")})
	base := o.commit(100, tree)
	own := o.commit(5, tree, base)
	head := o.commit(6, o.tree(line{"100644", "a", o.blob("b\n")}), own)
	record := Record{TaskID: "r__1", Head: head, Base: base, Shallow: []string{base}}
	got, err := Check(t.Context(), bytes.NewReader(written(t, planned(t, o, record))), DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	want := []Age{{base, "2026-01-01T01:40:00Z", "2026-01-01T01:40:00Z"}}
	if d := cmp.Diff(want, got.Stats[0].Later); d != "" {
		t.Error(d)
	}
}

// TestReader_Damage: whatever is not what Write writes is refused.
func TestReader_Damage(t *testing.T) {
	o, records := history()
	file := written(t, planned(t, o, records...))
	raw := string(unpacked(t, file))
	head, body, _ := strings.Cut(raw, "\n")
	blob := func(text string) string { return fmt.Sprintf("blob %d\x00%s", len(text), text) }
	aFile := "blob " + strings.SplitN(body, "blob ", 3)[1] // the first, with its header
	unneeded := o.commit(50, o.tree())
	for name, changed := range map[string]string{
		"a byte of a file":         strings.Replace(raw, "line of a", "Line of a", 1),
		"a byte of a commit":       strings.Replace(raw, "minute 3", "minute 9", 1),
		"an object more":           raw + blob("not needed"),
		"an object more before":    head + "\n" + fmt.Sprintf("commit %d\x00%s", len(o[unneeded].raw), o[unneeded].raw) + body,
		"an object less":           strings.Replace(raw, aFile, "", 1),
		"an object twice":          strings.Replace(raw, aFile, aFile+aFile, 1),
		"files in another order":   strings.Replace(raw, aFile, "", 1) + aFile,
		"bytes behind the end":     raw + "x",
		"cut off":                  raw[:len(raw)-10],
		"no objects":               head + "\n",
		"no header":                body,
		"a space in the header":    strings.Replace(head, ":", ": ", 1) + "\n" + body,
		"a field in the header":    strings.Replace(head, "{", `{"more":1,`, 1) + "\n" + body,
		"records in another order": strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(head, "r__1", "r__3"), "r__2", "r__1"), "r__3", "r__2") + "\n" + body,
		"an end too few":           strings.Replace(raw, `"shallow":["`+records[0].Shallow[0]+`",`, `"shallow":[`, 1),
		"another fork point":       strings.Replace(raw, `"base":"`+records[0].Base, `"base":"`+records[1].Head, 1),
		"another revision":         strings.Replace(raw, `"head":"`+records[1].Head, `"head":"`+strings.Repeat("0", 40), 1),
		"a kind that git has not":  strings.Replace(raw, "blob ", "blub ", 1),
		"a tag":                    raw + "tag 0\x00",
		"a size with a zero":       strings.Replace(raw, "blob ", "blob 0", 1),
		"a negative size":          strings.Replace(raw, "blob ", "blob -", 1),
		"a size beyond everything": strings.Replace(raw, aFile, "blob 99999999999999\x00", 1),
		"a header without an end":  strings.Repeat("x", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			if changed == raw {
				t.Fatal("nothing was changed")
			}
			if _, err := Check(t.Context(), bytes.NewReader(repacked(t, []byte(changed))), DefaultLimits()); !errors.Is(err, ErrDamaged) {
				t.Errorf("error %v, want ErrDamaged", err)
			}
		})
	}
	if _, err := Check(t.Context(), bytes.NewReader(file[:len(file)/2]), DefaultLimits()); !errors.Is(err, ErrDamaged) {
		t.Errorf("a file cut off: %v", err)
	}
	if _, err := Check(t.Context(), bytes.NewReader(file), DefaultLimits()); err != nil {
		t.Errorf("the file itself: %v", err)
	}
}

// TestReader_Limits: a file that unpacks to more than may be is refused before it
// is held.
func TestReader_Limits(t *testing.T) {
	o := objects{}
	base := o.commit(0, o.tree())
	head := o.commit(1, o.tree(line{"100644", "zeros", o.blob(strings.Repeat("\x00", 1<<20))}), base)
	file := written(t, planned(t, o, Record{TaskID: "r__1", Head: head, Base: base, Shallow: []string{base}}))
	if len(file) > 2000 {
		t.Fatalf("%d bytes are no bomb", len(file))
	}
	for name, l := range map[string]func(*Limits){
		"object": func(l *Limits) { l.MaxObject = 1<<20 - 1 },
		"total":  func(l *Limits) { l.MaxBytes = 1 << 20 },
		"held":   func(l *Limits) { l.MaxHeld = 10 },
	} {
		limits := DefaultLimits()
		l(&limits)
		if _, err := Check(t.Context(), bytes.NewReader(file), limits); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error %v, want ErrDamaged", name, err)
		}
	}
}

// TestNewPlan_Problems: what is not available, too large or unsafe makes no error
// and no snapshot, but a reason.
func TestNewPlan_Problems(t *testing.T) {
	o := objects{}
	file := o.blob("text\n")
	base := o.commit(0, o.tree(line{"100644", "a", file}))
	missing := strings.Repeat("1", 40)
	of := func(tree string) Record {
		head := o.commit(1, tree, base)
		return Record{TaskID: "r__1", Head: head, Base: base, Shallow: []string{base}}
	}
	named := func(name string) Record { return of(o.tree(line{"100644", name, file})) }
	bomb := o.tree(line{"100644", "f", file}, line{"100644", "g", file})
	for range 40 {
		bomb = o.tree(line{"40000", "a", bomb}, line{"40000", "b", bomb})
	}
	deep := o.tree(line{"100644", "f", file})
	for range 600 {
		deep = o.tree(line{"40000", "d", deep})
	}
	long := o.tree(line{"100644", "f", file})
	for range 20 {
		long = o.tree(line{"40000", strings.Repeat("d", 250), long})
	}
	other := o.commit(7, o.tree())
	big := o.blob(strings.Repeat("0123456789", 1000))
	for name, tc := range map[string]struct {
		record Record
		limits func(*Limits)
		want   Problem
	}{
		"no such commit":       {record: Record{TaskID: "r__1", Head: missing, Base: base, Shallow: []string{base}}, want: CommitAbsent},
		"no such parent":       {record: Record{TaskID: "r__1", Head: o.commit(1, o.tree(), missing), Base: base, Shallow: []string{base}}, want: CommitAbsent},
		"another fork point":   {record: Record{TaskID: "r__1", Head: of(o.tree()).Head, Base: other, Shallow: []string{base}}, want: NoForkPoint},
		"an end not met":       {record: Record{TaskID: "r__1", Head: of(o.tree()).Head, Base: base, Shallow: []string{base, other}}, want: NoForkPoint},
		"the fork point shown": {record: Record{TaskID: "r__1", Head: base, Base: base, Shallow: []string{base}}, want: NoForkPoint},
		"no such tree":         {record: of(missing), want: ObjectsAbsent},
		"no such folder":       {record: of(o.tree(line{"40000", "d", missing})), want: ObjectsAbsent},
		"no such file":         {record: of(o.tree(line{"100644", "f", missing})), want: ObjectsAbsent},
		"a tree as a file":     {record: of(o.tree(line{"100644", "f", deep})), want: ObjectsAbsent},
		"a file as a tree":     {record: of(o.tree(line{"40000", "f", file})), want: ObjectsAbsent},
		"too many files":       {record: of(bomb), want: TooLarge},
		"too deep":             {record: of(deep), want: TooLarge},
		"too long a path":      {record: of(long), want: TooLarge},
		"too large a file":     {record: of(o.tree(line{"100644", "f", big})), limits: func(l *Limits) { l.MaxObject = 9999 }, want: TooLarge},
		"too large together":   {record: of(o.tree(line{"100644", "f", big}, line{"100644", "g", big})), limits: func(l *Limits) { l.MaxTree = 19_999 }, want: TooLarge},
		"too much to hold":     {record: of(o.tree(line{"100644", "f", file})), limits: func(l *Limits) { l.MaxHeld = 300 }, want: TooLarge},
		"too many commits":     {record: of(o.tree(line{"100644", "f", file})), limits: func(l *Limits) { l.MaxCommits = 1 }, want: TooManyCommits},
		".git":                 {record: named(".git"), want: UnsafePath},
		".GIT":                 {record: named(".GIT"), want: UnsafePath},
		".git of NTFS":         {record: named(".git . ."), want: UnsafePath},
		"a stream of NTFS":     {record: named(".git::$INDEX_ALLOCATION"), want: UnsafePath},
		"a short name":         {record: named("GIT~1"), want: UnsafePath},
		"a backslash":          {record: named(`a\.git\config`), want: UnsafePath},
		".git of HFS+":         {record: named(".g\u200cit"), want: UnsafePath},
		"..":                   {record: named(".."), want: UnsafePath},
		".":                    {record: named("."), want: UnsafePath},
		"a slash":              {record: named("a/b"), want: UnsafePath},
		"a long name":          {record: named(strings.Repeat("n", 256)), want: UnsafePath},
		"a name twice":         {record: of(o.tree(line{"120000", "a", file}, line{"40000", "a", o.tree(line{"100644", "b", file})})), want: UnsafePath},
		"a linked .gitmodules": {record: of(o.tree(line{"120000", ".GitModules", file})), want: UnsafePath},
		"below":                {record: of(o.tree(line{"40000", "d", o.tree(line{"40000", ".git", o.tree()})})), want: UnsafePath},
		"in the fork point": {record: func() Record {
			bad := o.commit(0, o.tree(line{"100644", "..", file}))
			return Record{TaskID: "r__1", Head: o.commit(1, o.tree(), bad), Base: bad, Shallow: []string{bad}}
		}(), want: UnsafePath},
		"names that look like it": {record: of(o.tree(line{"100644", ".gitignore", file}, line{"100644", ".gitmodules", file}, line{"100644", "git~2", file},
			line{"100644", `x\y`, file}, line{"100644", "...", file}, line{"100644", "\xff\n\t", file}))},
	} {
		t.Run(name, func(t *testing.T) {
			limits := DefaultLimits()
			if tc.limits != nil {
				tc.limits(&limits)
			}
			good := o.small()
			p, err := NewPlan(t.Context(), "o/r", []Record{tc.record, good}, o, limits)
			if err != nil {
				t.Fatal(err)
			}
			got := p.Header.Records[0]
			if got.Problem != tc.want || (got.Detail == "") != (tc.want == "") {
				t.Errorf("problem %q (%s), want %q", got.Problem, got.Detail, tc.want)
			}
			if tc.limits != nil {
				return
			}
			if other := p.Header.Records[1]; other.Problem != "" {
				t.Errorf("another record suffers: %s: %s", other.Problem, other.Detail)
			}
			if _, err := Check(t.Context(), bytes.NewReader(written(t, p)), limits); err != nil {
				t.Errorf("what is written cannot be read: %v", err)
			}
		})
	}
}

// lying is a Source that gives other bytes than asked for.
type lying struct {
	objects
	was, is string
}

func (l lying) Objects(ctx context.Context, ids []string, each func(id, kind string, size int64, body io.Reader) error) error {
	return l.objects.Objects(ctx, ids, func(id, kind string, size int64, body io.Reader) error {
		raw, err := io.ReadAll(body)
		if err == nil {
			raw = bytes.Replace(raw, []byte(l.was), []byte(l.is), 1)
			err = each(id, kind, size, bytes.NewReader(raw))
		}
		return err
	})
}

func TestWrite_WrongBytes(t *testing.T) {
	o := objects{}
	record := o.small()
	if err := planned(t, lying{o, "two", "TWO"}, record).Write(t.Context(), io.Discard); !errors.Is(err, ErrDamaged) {
		t.Errorf("a file: error %v, want ErrDamaged", err)
	}
	for what, from := range map[string]lying{"a commit": {o, "minute 1", "minute 9"}, "a tree": {o, "a.txt", "b.txt"}} {
		if _, err := NewPlan(t.Context(), "o/r", []Record{record}, from, DefaultLimits()); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error %v, want ErrDamaged", what, err)
		}
	}
}

// TestSpool: a file is a source of itself, and of fewer records.
func TestSpool(t *testing.T) {
	o, records := history()
	file := written(t, planned(t, o, records...))
	s, err := NewSpool(t.Context(), bytes.NewReader(file), DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !bytes.Equal(written(t, planned(t, s, records...)), file) {
		t.Error("made again from itself, a file has other bytes")
	}
	if !bytes.Equal(written(t, planned(t, s, records[1])), written(t, planned(t, o, records[1]))) {
		t.Error("one record of a file is not what it is without the others")
	}
	if got := s.Record(records[1].Head, records[1].Base); got == nil || got.TaskID != "r__2" {
		t.Errorf("record %v", got)
	}
	if s.Record(records[1].Head, records[0].Base) != nil {
		t.Error("a record with another fork point")
	}
}

// FuzzReader: no bytes make the reader fail otherwise than by an error.
func FuzzReader(f *testing.F) {
	o, records := history()
	raw := unpacked(f, written(f, planned(f, o, records...)))
	f.Add(raw)
	f.Add(raw[:len(raw)-1])
	f.Add([]byte("{}\nblob 0\x00"))
	limits := DefaultLimits()
	limits.MaxBytes, limits.MaxHeld = 1<<20, 1<<20
	f.Fuzz(func(t *testing.T, raw []byte) {
		_, err := Check(t.Context(), bytes.NewReader(repacked(t, raw)), limits)
		if err == nil && len(raw) > 0 {
			s, err := NewSpool(t.Context(), bytes.NewReader(repacked(t, raw)), limits)
			if err != nil {
				t.Fatal(err)
			}
			s.Close()
		}
	})
}
