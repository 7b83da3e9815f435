package fixes_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/scoring/fixes"
)

func TestNamings(t *testing.T) {
	number := func(n int) []fixes.Naming { return []fixes.Naming{{Number: n}} }
	plain := func(n int) []fixes.Naming { return []fixes.Naming{{Number: n, Plain: true}} }
	for _, tc := range []struct {
		name, subject, body string
		want                []fixes.Naming
	}{
		{"plain: a regression from it", "Fix x", "This is a regression from\nhttps://github.com/o/n/pull/12.", []fixes.Naming{{Number: 12, Repo: "n", Plain: true}}},
		{"of a repository", "Fix x", "This regression blocks o/n.net#12.", []fixes.Naming{{Number: 12, Repo: "n.net", Plain: true}}},
		{"plain: a fault that it introduced", "Fix x", "It repairs a bug of two threads that was introduced by the change in (#12).", plain(12)},
		{"plain: broken by", "Fix x", "Broken by\n`b80bb0586`", []fixes.Naming{{Commit: "b80bb0586", Plain: true}}},
		{"plain: the cause", "Fix x", "The cause is #12: it serves old ones.", plain(12)},
		{"plain: since it", "Fix x", "Since #12 it is broken.", plain(12)},
		{"plain: what it forgot", "Fix x", "#12 forgot to close it.", plain(12)},
		{"plain: it introduced a bug", "Fix x", "PR #12 introduced a subtle bug here.", plain(12)},
		{"plain: in its second mention", "Fix x", "See #12, which was wrong.\n\nThis fixes the regression of #12.", plain(12)},
		{"not plain: another sentence", "Fix x", "It broke. See what #12 does. It was wrong.", number(12)},
		{"not plain: another item of a list", "Fix x", "it broke\n- #12 has it, which is wrong", number(12)},
		{"not plain: a suspicion", "Fix x", "The regression was probably introduced by #12.", number(12)},
		{"not plain: a bug found beside", "Fix x", "I found this bug while writing\n#12", number(12)},
		{"not plain: a feature that fails", "Fix x", "The period introduced in #12 fails to end.", number(12)},
		{"not plain: an accident", "Fix x", "As part of #12 we accidentally used the other one.", number(12)},
		{"a number and a verb", "Fix x (#15391)", "#13913 breaks the conversion.", number(13913)},
		{"an address of a pull request", "Allow y (#2)", "https://github.com/o/n/pull/14180 introduced changes which broke it", []fixes.Naming{{Number: 14180, Repo: "n", Plain: true}}},
		{"a commit", "Fix z", "Regression introduced by b80bb0586 (migration).", []fixes.Naming{{Commit: "b80bb0586", Plain: true}}},
		{"in the subject", "fix(canvas): restore it (#8903 regression) (#10408)", "", plain(8903)},
		{"a word of blame in a title that closes", "Fix #8903 regression (#9)", "", plain(8903)},
		{"once", "Fix (#3)", "Broken by #2.\n\n#2 broke it.", plain(2)},
		{"once alone and once with its repository", "Fix a bug of #2", "https://github.com/o/n/pull/2 broke it.", plain(2)},
		{"gh-N", "Fix", "a mistake of gh-77", plain(77)},
		{"the commit's own number", "Fix a bug (#12)", "", nil},
		{"no pull request's number", "Fix", "#0 broke it, as #99999999999999999999 broke it.", nil},
		{"a merge", "Merge pull request #12 from a/fix-bug", "Fix a bug", nil},
		{"a closed issue", "Fix a crash", "Fixes #12, a bug", nil},
		{"an issue's address", "Fix", "bug https://github.com/o/n/issues/12", nil},
		{"no blame", "Extend it", "#12 added this", nil},
		{"blame in another paragraph", "Fix a bug", "#12 added this", nil},
		{"blame out of reach", "Add", "#12 added this" + strings.Repeat(" and that", 12) + " bug", nil},
		{"a change that is only new", "Share code", "#12 introduced a change which allows more", nil},
		{"a reason that is no cause", "Revert it", "Reverts #12 because the design is open.", nil},
		{"a mechanism that is only new", "Fix it", "By the mechanism introduced in #12.", nil},
		{"an issue that it introduced", "Fix it", "This resolves an issue introduced in #12.", plain(12)},
		{"a change that is new and wrong", "Share code", "#12 introduced a change but did break it", number(12)},
		{"an older bug", "Fix names", "With #12321 this returns something else. This uncovered a bug.", nil},
		{"a word that is no id", "Fix a bug of the defaced facade", "1234567 bugs", nil},
		{"a squashed commit's title", "Fix a bug", "* revert #12\n\n* fix the bug of #13", nil},
		{"a test of another", "Fix a bug", "The failing test from #12 passes.", nil},
		{"a cherry pick", "Fix a bug", "text\n(cherry picked from commit 672dc14d29b1c2)\n", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := fixes.Namings(tc.subject, tc.body); !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func TestNaming_Is(t *testing.T) {
	const oid = "672dc14d2900000000000000000000000000000a"
	for _, tc := range []struct {
		n    fixes.Naming
		want bool
	}{
		{fixes.Naming{Number: 7}, true}, {fixes.Naming{Number: 8}, false}, {fixes.Naming{Number: 7, Repo: "N"}, true},
		{fixes.Naming{Number: 7, Repo: "m"}, false}, {fixes.Naming{Commit: "672dc14d2"}, true}, {fixes.Naming{Commit: "672dc14d3"}, false}, {fixes.Naming{}, false},
	} {
		if tc.n.Is(model.PullRef{Repo: model.RepoRef{Owner: "o", Name: "n"}, Number: 7}, "", oid) != tc.want {
			t.Errorf("%v.Is: want %t", tc.n, tc.want)
		}
	}
}
