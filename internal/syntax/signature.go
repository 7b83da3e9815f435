package syntax

import "strings"

// Parameters counts the parameters in a signature, to choose between overloads: n, or -n when the last of n takes
// any number of arguments (so that at least n-1 are given).
func Parameters(signature string) int {
	open := strings.IndexByte(signature, '(')
	if open < 0 {
		return 0
	}
	n, depth := 0, 0
	content := false
	for i := open; i < len(signature); i++ {
		switch c := signature[i]; c {
		case '(', '<', '[', '{':
			depth++
		case ')', '>', ']', '}':
			if depth--; depth == 0 {
				if content {
					n++
				}
				if strings.Contains(signature[open:i], "...") {
					return -n
				}
				return n
			}
		case ',':
			if depth == 1 {
				n++
			}
		default:
			content = content || c != ' '
		}
	}
	return n
}
