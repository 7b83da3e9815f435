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
	f = NewFunnel("even")
	for _, v := range []Verdict{Pass(), Reject("big", ""), Reject("big", ""), {Outcome: OutcomeUndetermined, Code: "dark"}, {Outcome: OutcomeFailed, Code: "broken"}} {
		if err := f.Add("even", v); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.Stages[0].Reasons; f.Check() != nil || got["big"] != 2 || got["dark"] != 1 || got["broken"] != 1 {
		t.Errorf("%+v, %v", f.Stages[0], f.Check())
	}
	if err := new(Counts).Add(Reject("big", "")); err != nil {
		t.Error(err)
	}
	if err := f.Add("nowhere", Pass()); err == nil {
		t.Error("an unknown stage was counted")
	}
}
