package debugging

import (
	"fmt"
	"os"
	"strings"
	"testing"

	scripts "github.com/prforge/prforge/injection/debugging"
)

// docs/debugging.md lists the operators as they are.
func TestOperatorsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/debugging.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range scripts.Operators() {
		if row := fmt.Sprintf("| `%s` | %s | %s |", o.Name, o.Group, o.Text); !strings.Contains(string(page), row) {
			t.Errorf("the page lacks %s", row)
		}
	}
}
