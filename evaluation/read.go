package evaluation

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of reading an answer, so that no answer can exhaust us.
const (
	// maxAnswer is how many bytes of an answer are searched for a review; a long one has some ten thousand.
	maxAnswer = 1 << 20
	// maxComments is how many comments of a review are judged.
	maxComments = 100
	// maxBody is the maximum size of one comment in bytes.
	maxBody = 20_000
	// maxStarts is how many positions of an answer are tried as the start of JSON.
	maxStarts = 64
)

// readReview finds the review in an answer: the whole text as JSON, else the inside of a code fence, else the largest
// array of objects with a body anywhere in the text. An empty array counts only as the whole answer or a whole fence:
// brackets in prose are not a review.
func readReview(answer string) Reading {
	text := strings.TrimSpace(strings.TrimPrefix(answer, "\ufeff"))
	switch {
	case text == "":
		return unusable("empty_answer")
	case len(text) > maxAnswer:
		return unusable("answer_too_large")
	}
	for _, part := range append([]string{text}, fences(text)...) {
		if items, ok := wholeReview(part); ok {
			return readItems(items)
		}
	}
	if items := largestArray(text); items != nil {
		return readItems(items)
	}
	return unusable("no_review_found")
}

func unusable(code string) Reading {
	return Reading{Outcome: ReadUnusable, Code: code, Comments: []Comment{}}
}

// wholeReview reads a text that is only a review: an array, or an object whose comments are one. An array without a
// single body is a review only if it is empty.
func wholeReview(text string) ([]json.RawMessage, bool) {
	raw := []byte(text)
	var object struct {
		Comments *[]json.RawMessage `json:"comments"`
	}
	var items []json.RawMessage
	switch {
	case json.Unmarshal(raw, &items) == nil && items != nil:
	case json.Unmarshal(raw, &object) == nil && object.Comments != nil:
		items = *object.Comments
	default:
		return nil, false
	}
	return items, len(items) == 0 || bodies(items) > 0
}

// fences are the insides of a text's code fences, at most maxStarts.
func fences(text string) []string {
	const mark = "```"
	var out []string
	for len(out) < maxStarts {
		_, rest, found := strings.Cut(text, mark)
		if !found {
			return out
		}
		inside, after, closed := strings.Cut(rest, mark)
		if !closed {
			return out
		}
		language, body, hasLine := strings.Cut(inside, "\n")
		if hasLine && !strings.ContainsAny(language, "[{") {
			inside = body
		}
		out = append(out, strings.TrimSpace(inside))
		text = after
	}
	return out
}

// largestArray is the array of a text with the most objects that have a body,
// the first of equals; nil if there is none.
func largestArray(text string) []json.RawMessage {
	var best []json.RawMessage
	most := 0
	for tried, at := 0, 0; tried < maxStarts; tried++ {
		next := strings.IndexByte(text[at:], '[')
		if next < 0 {
			break
		}
		at += next
		var items []json.RawMessage
		d := json.NewDecoder(strings.NewReader(text[at:]))
		if err := d.Decode(&items); err != nil {
			at++
			continue
		}
		if n := bodies(items); n > most {
			best, most = items, n
		}
		at += int(d.InputOffset())
	}
	return best
}

// bodies counts the items that are objects with a text as body.
func bodies(items []json.RawMessage) int {
	n := 0
	for _, item := range items {
		if _, code := readItem(item); code != "malformed_item" {
			n++
		}
	}
	return n
}

// readItems reads the comments of a review and counts the dropped ones.
func readItems(items []json.RawMessage) Reading {
	r := Reading{Outcome: ReadReview, Comments: []Comment{}, Dropped: map[string]int{}}
	for _, item := range items {
		c, code := readItem(item)
		switch {
		case code != "":
			r.Dropped[code]++
		case len(r.Comments) == maxComments:
			r.Dropped["over_limit"]++
		default:
			if len(c.Body) > maxBody {
				c.Body = strings.ToValidUTF8(c.Body[:maxBody], "")
				r.Dropped["body_cut"]++
			}
			r.Comments = append(r.Comments, c)
		}
	}
	if len(r.Comments) == 0 {
		r.Outcome = ReadNothing
	}
	return r
}

// readItem reads one comment; code says why it was dropped.
func readItem(item json.RawMessage) (c Comment, code string) {
	var fields struct {
		Body     *string         `json:"body"`
		File     json.RawMessage `json:"file"`
		Line     json.RawMessage `json:"line"`
		Severity json.RawMessage `json:"severity"`
	}
	if err := json.Unmarshal(item, &fields); err != nil || fields.Body == nil {
		return c, "malformed_item"
	}
	c.Body = strings.TrimSpace(*fields.Body)
	if c.Body == "" {
		return c, "empty_body"
	}
	c.File = strings.TrimSpace(textOf(fields.File))
	c.Line = lineOf(fields.Line)
	if s := strings.ToUpper(strings.TrimSpace(textOf(fields.Severity))); s == "P0" || s == "P1" || s == "P2" {
		c.Severity = s
	}
	return c, ""
}

// textOf is a JSON string's text, or "" for anything else.
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil || !utf8.ValidString(s) {
		return ""
	}
	return s
}

// lineOf is a line number given as a number or as digits; nil for anything else.
func lineOf(raw json.RawMessage) *int {
	text := string(bytes.TrimSpace(raw))
	if s := textOf(raw); s != "" {
		text = strings.TrimSpace(s)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || f < 1 || f > math.MaxInt32 {
		return nil
	}
	n := int(f)
	return &n
}
