package artifacts

import (
	"fmt"
	"strings"
)

// Printable keeps control characters of a dataset's texts away from terminals,
// and long ones short.
func Printable(s string) string {
	const limit = 300
	var b strings.Builder
	for i, r := range s {
		if i > limit {
			b.WriteString("...")
			break
		}
		if r < ' ' || r == 0x7f || (0x80 <= r && r <= 0x9f) || (0x202a <= r && r <= 0x202e) || (0x2066 <= r && r <= 0x2069) {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
