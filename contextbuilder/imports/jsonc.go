package imports

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// plainJSON takes comments, trailing commas and a byte order mark out of JSON as
// people write it in configuration files. What is no such JSON comes back as it
// is, for encoding/json to refuse.
func plainJSON(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("\xEF\xBB\xBF"))
	out, err := hujson.Standardize(append(bytes.Clone(src), '\n')) // a comment ends with its line
	if err != nil {
		return src
	}
	return out
}
