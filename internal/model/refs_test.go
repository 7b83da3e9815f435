package model

import "testing"

func TestReferencesAreSafeAsFileNames(t *testing.T) {
	for _, bad := range []string{"", "a", "a/", "/b", "a/..", "a/.", "../b", "a/b/c", "a b/c", "a/b c", "-a/b", "a/b\n", "a\\b/c"} {
		if r, err := ParseRepoRef(bad); err == nil {
			t.Errorf("%q was read as %v", bad, r)
		}
	}
	r, err := ParseRepoRef("Dask/dask.github_io-x")
	if err != nil || r.FileName() != "dask+dask.github_io-x" {
		t.Errorf("%v, %v", r, err)
	}
	for _, bad := range []string{"a/b", "a/b#", "a/b#0", "a/b#-1", "a/b#x", "#1", "a#1"} {
		if p, err := ParsePullRef(bad); err == nil {
			t.Errorf("%q was read as %v", bad, p)
		}
	}
	for _, good := range []string{"a/b#12", "a/b#1"} {
		if p, err := ParsePullRef(good); err != nil || p.String() != good {
			t.Errorf("%v, %v", p, err)
		}
	}
}
