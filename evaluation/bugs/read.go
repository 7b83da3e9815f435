package bugs

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// Limits of reading an answer.
const (
	maxAnswerBytes = 1 << 20
	maxReadBytes   = 16 << 20 // in all, while looking for JSON
	maxCounted     = 5        // findings that count, the first ones
)

// Codes of an answer that cannot be scored by rule.
const (
	codeEmpty      = "answer_empty"
	codeTooLarge   = "answer_too_large"
	codeCutOff     = "answer_cut_off"  // JSON that ends in the middle
	codeRefused    = "answer_refused"  // the model declines
	codeUnread     = "answer_unread"   // prose without a name and a fault word together: for the judge
	codeUnreadable = "answer_off_form" // JSON without findings
)

// Answer is an answer as read. With a Code it has no findings.
type Answer struct {
	Findings []Finding `json:"findings"`
	Dropped  int       `json:"dropped"` // findings beyond the first five
	Prose    bool      `json:"prose"`   // read by rule from a text without JSON
	Code     string    `json:"code,omitempty"`
	// Advice is the judges' verdicts, by their names.
	Advice map[string]bool `json:"advice,omitempty"`
	// People are the labels of people, in the order of their file.
	People []bool `json:"people,omitempty"`
}

// read reads an answer: the last JSON object with a list findings, or the last
// list of findings, wherever it is in the text. A text without any is read as
// prose: a sentence with the interpreter's own words and a name.
func read(text string) Answer {
	switch {
	case strings.TrimSpace(text) == "":
		return Answer{Code: codeEmpty}
	case len(text) > maxAnswerBytes:
		return Answer{Code: codeTooLarge}
	}
	found, some, cut := lastFindings(text)
	switch {
	case found != nil:
		counted := min(len(found), maxCounted)
		return Answer{Findings: found[:counted], Dropped: len(found) - counted}
	case cut && strings.Contains(text, `"findings"`):
		return Answer{Code: codeCutOff}
	}
	if found = prose(text); len(found) > 0 {
		return Answer{Findings: found[:min(len(found), maxCounted)], Dropped: max(0, len(found)-maxCounted), Prose: true}
	}
	switch {
	case refusal.MatchString(text):
		return Answer{Code: codeRefused}
	case some:
		return Answer{Code: codeUnreadable}
	}
	return Answer{Code: codeUnread}
}

// lastFindings is the last list of findings in a text, nil if there is none. some reports other JSON, cut a value
// without an end.
func lastFindings(text string) (last []Finding, some, cut bool) {
	read := 0
	for at := 0; at < len(text) && read < maxReadBytes; at++ {
		if text[at] != '{' && text[at] != '[' {
			continue
		}
		v, end, ok := python.JSONAt(text, at)
		read += end - at
		if !ok {
			cut = cut || end == len(text)
			continue
		}
		some = true
		if found := findings(v); found != nil {
			last = found
		}
		at = end - 1
	}
	return last, some, cut
}

// findings reads a decoded value; nil if it holds none. An empty list in an object says that nothing is wrong; a bare
// one may mean anything.
func findings(v any) []Finding {
	list, isList := v.([]any)
	if o, ok := v.(map[string]any); ok {
		if list, ok = o["findings"].([]any); !ok {
			return nil
		}
	}
	out := []Finding{}
	for _, item := range list {
		if o, ok := item.(map[string]any); ok {
			out = append(out, finding(o))
		}
	}
	if isList && (len(out) == 0 || out[0].Kind == other && out[0].Line == 0 && out[0].Name == "") {
		return nil
	}
	return out
}

func finding(o map[string]any) Finding {
	f := Finding{Path: textOf(o, "path"), Kind: other, Name: bare(textOf(o, "name")), Error: textOf(o, "error"),
		Why: textOf(o, "why")}
	if n, ok := python.Int(o["line"]); ok && n > 0 && n < 1<<30 {
		f.Line = int(n)
	}
	switch kind := strings.ToLower(strings.TrimSpace(textOf(o, "kind"))); kind {
	case Undeclared, Indentation, Import, Logic:
		f.Kind = kind
	}
	return f
}

func textOf(o map[string]any, key string) string {
	s, _ := o[key].(string)
	return s
}

// bare is a name without code marks, quotes and a call's parentheses.
func bare(name string) string {
	return strings.TrimSuffix(strings.Trim(strings.TrimSpace(name), "`'\""), "()")
}

var (
	refusal  = regexp.MustCompile(`(?i)\bI(?:'m sorry|(?: can(?:no|')t| won't|(?:'m| am) (?:not able|unable) to) (?:assist|comply|do that|fulfill?|help|provide|review))`)
	sentence = regexp.MustCompile(`[^.!?\n]*(?:[.!?\n]+|$)`)
	negation = regexp.MustCompile(`(?i)\b(?:no|not raise|never|without|avoids?|does ?n[o']t raise|would not|won't|fixed|prevents?)\b[^,;:]{0,40}(?:NameError|UnboundLocalError|ImportError|IndentationError|TabError)`)
	lineWord = regexp.MustCompile(`(?i)\blines? (\d{1,7})\b`)

	undefinedName = regexp.MustCompile("(?:NameError|UnboundLocalError)[^\\n]{0,40}?['\"`](\\w{1,200})['\"`]")
	missingImport = regexp.MustCompile("ImportError[^\\n]{0,40}?cannot import name ['\"`](\\w{1,200})['\"`]")
	badIndent     = regexp.MustCompile(`\b(?:IndentationError|TabError)\b`)
)

// prose reads sentences that have both a fault word and a name. It skips a sentence that denies the fault.
func prose(text string) []Finding {
	var out []Finding
	for _, s := range sentence.FindAllString(text, -1) {
		if negation.MatchString(s) {
			continue
		}
		line := 0
		if m := lineWord.FindStringSubmatch(s); m != nil {
			line, _ = strconv.Atoi(m[1]) // at most seven digits
		}
		if m := undefinedName.FindStringSubmatch(s); m != nil {
			out = append(out, Finding{Kind: Undeclared, Name: m[1], Line: line, Why: strings.TrimSpace(s)})
		}
		if m := missingImport.FindStringSubmatch(s); m != nil {
			out = append(out, Finding{Kind: Import, Name: m[1], Line: line, Why: strings.TrimSpace(s)})
		}
		if badIndent.MatchString(s) {
			out = append(out, Finding{Kind: Indentation, Line: line, Why: strings.TrimSpace(s)})
		}
	}
	return out
}
