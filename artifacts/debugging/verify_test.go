package debugging

import (
	"strings"
	"testing"
)

func TestPlainID(t *testing.T) {
	for id, want := range map[string]bool{
		"table_orders__s1": true, "2020_plot__m1": true, strings.Repeat("a", 199): true,
		"": false, "-2__s1": false, ".hidden__s1": false, "../x__s1": false, `a\b__s1`: false, "a\x00b": false, strings.Repeat("a", 200): false,
	} {
		if plainID(id) != want {
			t.Errorf("%q: %t", id, !want)
		}
	}
}
