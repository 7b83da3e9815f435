package contextbuilder

import (
	"fmt"
	"strings"
	"testing"
)

// TestImportsTakeAShare: a long list of imports does not push out code, and what
// is the repository's own comes before the standard library.
func TestImportsTakeAShare(t *testing.T) {
	imports, uses := "", ""
	for i := range 80 {
		imports += fmt.Sprintf("import java.util.concurrent.Something%d;\n", i)
		uses += fmt.Sprintf("    Something%d s%d;\n", i, i)
	}
	base := memory{"shop/Pay.java": "package shop;\n\n" + imports + "import shop.rates.Table;\n\nclass Pay {\n  void pay(Table table) {\n" + uses + "    charge(table);\n  }\n}\n"}
	layer := layerOf(t, 3, base, "shop/Pay.java", map[string]string{"charge(table);": "    charge(table, 1);"})
	wants(t, layer, []string{"import shop.rates.Table;"}, nil)
	taken := 0
	for line := range strings.SplitSeq(layer, "\n") {
		if strings.HasPrefix(line, "import ") {
			taken += sharedCounter().Count(line + "\n")
		}
	}
	if most := importShare * float64(DefaultOptions().Budgets.C); float64(taken) > most || taken == 0 {
		t.Errorf("imports take %d tokens, at most %.0f are theirs", taken, most)
	}
}
