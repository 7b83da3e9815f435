package debugging

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/prforge/prforge/artifacts/verify"
)

// FormatPublished is the format of the published benchmark's files.
const FormatPublished = "dsdbench"

// Kinds of defects of a published file; the numbers are those of
// docs/debugging.md.
const (
	defectComment    verify.Kind = "1-comment-tells"
	defectOutermost  verify.Kind = "2-effect-outermost"
	defectAbsent     verify.Kind = "6-line-absent-or-twice"
	defectAfter      verify.Kind = "7-cause-after-effect"
	defectNoTrace    verify.Kind = "8-no-traceback"
	defectSeveral    verify.Kind = "9-message-of-several-lines"
	defectMergedLine verify.Kind = "10-truth-not-in-code"
)

var publishedKinds = []verify.Fault{
	{Kind: defectComment, Text: "no comment tells the change"},
	{Kind: defectOutermost, Text: "the effect is the deepest frame inside the script"},
	{Kind: defectAbsent, Text: "the texts of cause and effect are in the code, once"},
	{Kind: defectAfter, Text: "the cause is not below the effect"},
	{Kind: defectNoTrace, Text: "there is a traceback"},
	{Kind: defectSeveral, Text: "the message is one line"},
	{Kind: defectMergedLine,
		Text: "code of several errors parses, has every line of the truth, and names no effect twice"},
}

// maxPublished bounds one line of a published file, in bytes.
const maxPublished = 64 << 20

// VerifyPublished names the defects of a file in the published fields, single
// or of several errors. parses reports whether code is Python. The error is
// about reading.
func VerifyPublished(name string, file io.Reader, parses func(code string) bool) (*verify.Report, error) {
	f := verify.NewTally(publishedKinds)
	in := bufio.NewScanner(file)
	in.Buffer(make([]byte, 0, 1<<20), maxPublished)
	records := 0
	for in.Scan() {
		line := bytes.TrimSpace(in.Bytes())
		if len(line) == 0 {
			continue
		}
		records++
		var r singleRecord
		var m multiRecord
		if err := errors.Join(json.Unmarshal(line, &r), json.Unmarshal(line, &m)); err != nil {
			return nil, fmt.Errorf("%s: record %d: %w", name, records, err)
		}
		for i, v := range r.ErrorVersions {
			single(f, fmt.Sprintf("id %d, version %d", r.ID, i+1), v)
		}
		if r.ErrorVersions == nil {
			multi(f, fmt.Sprintf("id %d", m.ID), m, parses)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f.Report(name, FormatPublished, records), nil
}

var tells = regexp.MustCompile(`(?i)#.*\b(inject|incorrect|instead of|error|wrong|bug|mistake|fault|should be|introduc)`)

const tracebackMark = "Traceback (most recent call last)"

func single(f *verify.Tally, place string, v errorVersion) {
	f.Check(defectComment, !tells.MatchString(v.ModifiedCode) && !tells.MatchString(v.CauseErrorLine), "%s: %s", place,
		tells.FindString(v.CauseErrorLine+"\n"+v.ModifiedCode))
	cause, effect := positions(v.ModifiedCode, v.CauseErrorLine), positions(v.ModifiedCode, v.EffectErrorLine)
	f.Check(defectAbsent, len(cause) == 1 && len(effect) == 1, "%s: cause %d times, effect %d times", place, len(cause),
		len(effect))
	f.Check(defectAfter, len(cause) != 1 || len(effect) != 1 || cause[0] <= effect[0],
		"%s: cause on line %d, effect on line %d", place, first(cause), first(effect))
	_, trace, found := strings.Cut(v.ExecutionOutput, tracebackMark)
	if !f.Check(defectNoTrace, found, "%s", place) {
		return
	}
	if deepest := deepestLine(trace, v.ModifiedCode); deepest != "" {
		f.Check(defectOutermost, deepest == strings.TrimSpace(v.EffectErrorLine), "%s: effect %q, deepest frame %q", place,
			v.EffectErrorLine, deepest)
	}
	lines := strings.Split(strings.TrimRight(trace, "\n"), "\n")
	f.Check(defectSeveral, exceptionLine.MatchString(lines[len(lines)-1]), "%s: %q", place, lines[len(lines)-1])
}

// exceptionLine is the last line of a traceback whose message is one line.
var exceptionLine = regexp.MustCompile(`^[A-Za-z_][\w.]*(:|$)`)

func multi(f *verify.Tally, place string, r multiRecord, parses func(string) bool) {
	seen := map[string]bool{}
	ok, why := parses(r.ModifiedCode), "the code does not parse"
	for _, line := range r.EffectErrorLines {
		if seen[strings.TrimSpace(line)] {
			ok, why = false, "an effect is named twice"
		}
		seen[strings.TrimSpace(line)] = true
	}
	for _, line := range append(append([]string{}, r.CauseErrorLines...), r.EffectErrorLines...) {
		if len(positions(r.ModifiedCode, line)) == 0 {
			ok, why = false, "not in the code: "+line
		}
	}
	f.Check(defectMergedLine, ok, "%s: %s", place, why)
	f.Check(defectComment, !tells.MatchString(r.ModifiedCode), "%s: %s", place, tells.FindString(r.ModifiedCode))
}

// positions are the numbers of the lines with a text, 1-based.
func positions(code, line string) []int {
	var out []int
	n := 0
	for l := range strings.SplitSeq(code, "\n") {
		n++
		if line = strings.TrimSpace(line); line != "" && strings.TrimSpace(l) == line {
			out = append(out, n)
		}
	}
	return out
}

func first(numbers []int) int {
	if len(numbers) == 0 {
		return 0
	}
	return numbers[0]
}

// deepestLine is the source of a traceback's last frame whose line is in the code; "" without one.
func deepestLine(trace, code string) string {
	lines := strings.Split(trace, "\n")
	for i := len(lines) - 2; i >= 0; i-- {
		if strings.HasPrefix(strings.TrimSpace(lines[i]), `File "`) && len(positions(code, lines[i+1])) > 0 {
			return strings.TrimSpace(lines[i+1])
		}
	}
	return ""
}
