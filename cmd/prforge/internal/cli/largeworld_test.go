//go:build unix

package cli

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/fakegithub"
)

// largeRepository is the name of the one repository of largeWorld.
const largeRepository = "millbrook/large"

// largeWorld is one repository of many small files, half of them Python and half
// Java, with merged and reviewed pull requests that each change one file: what
// makes work grow with the number of files shows here. Equal arguments give an
// equal world.
func largeWorld(b *testing.B, files, pulls int) *fakegithub.World {
	b.Helper()
	g := &generator{random: rand.New(rand.NewPCG(1, 2)), files: files}
	owner, name, _ := strings.Cut(largeRepository, "/")
	repo := &fakegithub.Repo{
		Owner: owner, Name: name, ID: 77, Stars: 900, License: "Apache-2.0", Language: "Python", DefaultBranch: "main",
		Access: fakegithub.Public, CreatedAt: day(0).AddDate(-3, 0, 0), Description: "Many small files",
	}
	for i := range files {
		repo.Files = append(repo.Files, fakegithub.Edit{Kind: fakegithub.Write, Path: g.path(i), Content: []byte(g.source(i))})
	}
	for _, path := range []string{"pyproject.toml", "tests/test_all.py", ".github/workflows/ci.yml"} {
		repo.Files = append(repo.Files, fakegithub.Edit{Kind: fakegithub.Write, Path: path, Content: []byte("# " + path + "\n")})
	}
	for i := range pulls {
		repo.Pulls = append(repo.Pulls, g.pull(i))
	}
	return &fakegithub.World{Repos: []*fakegithub.Repo{repo}}
}

func day(hours int) time.Time {
	return time.Date(2025, 11, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(hours) * time.Hour)
}

type generator struct {
	random *rand.Rand
	files  int
}

// word is a made-up word of two to four syllables.
func (g *generator) word() string {
	var b strings.Builder
	for range 2 + g.random.IntN(3) {
		b.WriteByte("bcdfghklmnprstvz"[g.random.IntN(16)])
		b.WriteByte("aeiou"[g.random.IntN(5)])
	}
	return b.String()
}

func (g *generator) words(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = g.word()
	}
	return strings.Join(list, " ")
}

func isJava(i int) bool { return i%2 == 1 }

func (g *generator) path(i int) string {
	if isJava(i) {
		return fmt.Sprintf("java/org/large/p%03d/Unit%d.java", i/20, i)
	}
	return fmt.Sprintf("large/p%03d/unit%d.py", i/20, i)
}

// source is about 1.2 KB that uses two other files of its language.
func (g *generator) source(i int) string {
	one, two := (i+2)%g.files, (i*7+4)%g.files
	two += (two + i) % 2 // of the same language
	two %= g.files
	var b strings.Builder
	if isJava(i) {
		fmt.Fprintf(&b, "package org.large.p%03d;\n\nimport org.large.p%03d.Unit%d;\nimport org.large.p%03d.Unit%d;\n\n", i/20, one/20, one, two/20, two)
		fmt.Fprintf(&b, "/** %s. */\npublic class Unit%d {\n", g.words(6), i)
		for n := range 5 {
			fmt.Fprintf(&b, "    public int step%dOf%d(int %s) {\n        int total = %d;\n        total += new Unit%d().step%dOf%d(total);\n        return total; // %s\n    }\n\n",
				n, i, "amount", g.random.IntN(1000), one, n, one, g.words(4))
		}
		b.WriteString("}\n")
		return b.String()
	}
	fmt.Fprintf(&b, "from large.p%03d.unit%d import Unit%d\nfrom large.p%03d.unit%d import Unit%d\n\n\n", one/20, one, one, two/20, two, two)
	fmt.Fprintf(&b, "class Unit%d:\n    \"\"\"%s.\"\"\"\n\n", i, g.words(6))
	for n := range 5 {
		fmt.Fprintf(&b, "    def step%d_of_%d(self, amount):\n        total = %d\n        total += Unit%d().step%d_of_%d(total)\n        return total  # %s\n\n",
			n, i, g.random.IntN(1000), one, n, one, g.words(4))
	}
	return b.String()
}

// pull changes file 2*i, which no other pull request does, and is reviewed by
// two people who name definitions of other files.
func (g *generator) pull(i int) *fakegithub.Pull {
	target := (2 * i) % g.files
	name, far := fmt.Sprintf("%s_%d", g.word(), i), (target*3+11)%g.files
	var body strings.Builder
	fmt.Fprintf(&body, "\n\ndef %s(unit, limit):\n", name)
	for n := range 14 {
		fmt.Fprintf(&body, "    %s_%d = unit.step%d_of_%d(%d) + %d  # %s\n", g.word(), n, n%5, target, g.random.IntN(100), n, g.words(3))
	}
	fmt.Fprintf(&body, "    return limit - %d\n", i)
	path := g.path(target)
	header := fmt.Sprintf("from large.p%03d.unit%d import Unit%d", ((target+2)%g.files)/20, (target+2)%g.files, (target+2)%g.files)
	method := fakegithub.Squash
	if i%2 == 0 {
		method = fakegithub.MergeCommit
	}
	line := func(body string) fakegithub.Event {
		return fakegithub.Event{Kind: fakegithub.LineComment, Path: path, Side: '+', Text: fmt.Sprintf("    return limit - %d", i), Body: body}
	}
	return &fakegithub.Pull{
		Number: i + 1, Title: fmt.Sprintf("Fix how %s treats its limit: %s", name, g.words(4)), Body: "It " + g.words(30) + ".",
		Author: "ana", CreatedAt: day(8 * i), ClosedAt: day(8*i + 6), Method: method, ClosedBy: "ben", Labels: []string{"bug"},
		Steps: []fakegithub.Step{{Message: "Fix " + name, Edits: []fakegithub.Edit{{
			Kind: fakegithub.Patch, Path: path, Patches: []fakegithub.Replace{{Old: header, New: header + body.String()}},
		}}}},
		Talk: []fakegithub.Event{
			{Kind: fakegithub.ReviewEvent, Login: "ben", State: "CHANGES_REQUESTED"},
			line(fmt.Sprintf("Does this agree with `Unit%d` and its callers? The limit there is inclusive, so that %s would be counted twice when the %s is empty.", far, g.word(), g.word())),
			{Kind: fakegithub.Reply, Login: "ana", Body: "No, the caller subtracts it before; I added a note on " + g.words(5) + "."},
			line(fmt.Sprintf("The subtraction can become negative when `step%d_of_%d` answers zero; please guard it, because the %s relies on it being positive.", i%5, target, g.word())),
			{Kind: fakegithub.ReviewEvent, Login: "cleo", State: "COMMENTED"},
			line("Please add a test for the case where the " + g.word() + " is larger than the " + g.word() + ", since the old code failed there without any message."),
			{Kind: fakegithub.Reply, Login: "ana", Body: "Good point, a test for " + g.words(4) + " is there now."},
			{Kind: fakegithub.ReviewEvent, Login: "ben", State: "APPROVED"},
		},
	}
}
