package artifacts_test

import (
	"testing"

	"github.com/prforge/prforge/artifacts"
)

// Ids become paths.
func TestCheckQuestionID(t *testing.T) {
	for id, ok := range map[string]bool{"q0123456789abcdef0123": true, "": false, "q0123456789abcdef012": false, "q0123456789abcdef01234": false, "Q0123456789abcdef0123": false,
		"../0123456789abcdef01": false, "q0123456789abcdef012/": false, "q0123456789abcdef0123\n": false} {
		if err := artifacts.CheckQuestionID(id); (err == nil) != ok {
			t.Errorf("%q: %v", id, err)
		}
	}
}
