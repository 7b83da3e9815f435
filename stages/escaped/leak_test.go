package escaped

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

func TestLeaked(t *testing.T) {
	a := model.EscapedAnswer{PRNumber: 37, FixPR: 51, Fix: strings.Repeat("ab12", 10), Statement: "Fix it\n\nOne failure opened the circuit again at once after the pause."}
	for text, want := range map[string]string{
		"+\tself.failures += 1\nsee #5 and #512": "",
		"see " + strings.Repeat("ab12", 3):       "ab12ab12ab",
		"see #51.":                               "#51",
		"Fix it":                                 "",
		"x One failure opened the circuit again at once after the pause. Another thing": "One failure opened the circuit again at once after the pause.",
	} {
		if got := leaked(text, a); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	a.FixPR = 0
	if got := leaked("see #0", a); got != "" {
		t.Errorf("a fix without a number: got %q", got)
	}
}
