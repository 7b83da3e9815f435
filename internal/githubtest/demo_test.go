package githubtest

import "testing"

func TestDemoWorldBuilds(t *testing.T) {
	w, err := DemoWorld()
	if err != nil {
		t.Fatal(err)
	}
	s := ForTest(t, w, Options{})
	for _, r := range s.site.repos {
		for _, p := range r.pulls {
			t.Logf("%s#%d %s +%d-%d", r.FullName(), p.Number, p.state(), p.additions(), p.deletions())
			for _, th := range p.threads {
				line := 0
				if th.line != nil {
					line = *th.line
				}
				t.Logf("    %s %s %d outdated=%v", th.path, th.side, line, th.outdated)
			}
		}
	}
}
