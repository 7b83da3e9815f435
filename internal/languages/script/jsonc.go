package script

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// maxNesting is how deep brackets may be in each other, as in encoding/json.
// hujson calls itself for each and would end the program with its stack.
const maxNesting = 10_000

// plainJSON takes comments, trailing commas and a byte order mark out of JSON as
// people write it in configuration files. What is no such JSON, or nested too
// deep, comes back as it is, for encoding/json to refuse.
func plainJSON(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("\xEF\xBB\xBF"))
	depth := 0
	for _, c := range src { // brackets in texts count too: no file of people comes near
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth > maxNesting {
			return src
		}
	}
	out, err := hujson.Standardize(append(bytes.Clone(src), '\n')) // a comment ends with its line
	if err != nil {
		return src
	}
	return out
}
