package verdict

import "testing"

func TestFunnelProvesConservation(t *testing.T) {
	f := NewFunnel("repository", "even", "small")
	for _, s := range []string{"even", "even", "small"} {
		if err := f.Add(s, Pass()); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Check("even"); err == nil {
		t.Error("two passed, one came in, and the funnel agreed")
	}
	if err := f.Add("small", Reject("big", "too big")); err != nil {
		t.Fatal(err)
	}
	if err := f.Check("even"); err != nil {
		t.Error(err)
	}
	if err := f.Check(); err == nil {
		t.Error("items came out of nowhere and the funnel agreed")
	}
	if err := f.Add("nowhere", Pass()); err == nil {
		t.Error("an unknown stage was counted")
	}
}
