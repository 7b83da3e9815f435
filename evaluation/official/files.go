package official

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// Folder is the name of the folder of an agent and a judge.
func Folder(agent, judge string) string { return safeName(agent) + "__judge_" + safeName(judge) }

func safeName(model string) string {
	return strings.Trim(notInNames.ReplaceAllString(model, "_"), "_")
}

// Stem is the prefix of a record's files: agent_outputs/STEM_agent.json, judge_outputs/STEM_judge.json,
// eval_results/STEM_eval.json.
func Stem(t Task) string { return t.ID + "_" + long(t.Config) }

// Encode writes a value in the form of the harness's files: indented by two, in ASCII, no newline at the end.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return ascii(bytes.TrimRight(b.Bytes(), "\n")), nil
}

// ascii escapes what is not ASCII, in surrogate pairs beyond 16 bits. Outside
// of strings JSON has nothing else.
func ascii(text []byte) []byte {
	var out bytes.Buffer
	for _, r := range string(text) {
		switch {
		case r < 0x80:
			out.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.Bytes()
}
