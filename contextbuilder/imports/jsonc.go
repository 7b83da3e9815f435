package imports

import "bytes"

// plainJSON takes comments, trailing commas and a byte order mark out of JSON as
// people write it in configuration files. Strings are left alone.
func plainJSON(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("\xEF\xBB\xBF"))
	out := make([]byte, 0, len(src))
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '"':
			end := stringEnd(src, i)
			out = append(out, src[i:end]...)
			i = end - 1
		case c == '/' && i+1 < len(src) && src[i+1] == '/':
			for i < len(src) && src[i] != '\n' {
				i++
			}
			out = append(out, '\n')
		case c == '/' && i+1 < len(src) && src[i+1] == '*':
			end := bytes.Index(src[i+2:], []byte("*/"))
			if end < 0 {
				return out
			}
			i += end + 3
		case c == '}' || c == ']':
			out = bytes.TrimRight(out, " \t\r\n")
			out = append(bytes.TrimSuffix(out, []byte(",")), c)
		default:
			out = append(out, c)
		}
	}
	return out
}

// stringEnd is the offset behind the string that begins at i.
func stringEnd(src []byte, i int) int {
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return len(src)
}
