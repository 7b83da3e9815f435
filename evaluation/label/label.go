// Package label lets people answer questions about items, one at a time: on a page that needs no network or in a
// spreadsheet. It reads the answers back, in any order, and measures how far the raters agree. The caller defines the
// items and uses the answers.
//
//	label.go    what is asked: a sheet of items and questions
//	page.go     the sheet as one page for a browser
//	csv.go      the sheet for a spreadsheet, and the labels from both
//	agree.go    how far raters agree
package label

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
)

// Sheet is a questionnaire. Texts of Intro, Questions and Training are ours; those of Items are strangers'.
type Sheet struct {
	Title string `json:"title"`
	// Intro explains the task and defines the words of the questions, a paragraph each.
	Intro     []string   `json:"intro"`
	Questions []Question `json:"questions"`
	Training  []Trained  `json:"training"` // asked first, with the right answers
	Items     []Item     `json:"items"`
	// Order is the order of the questions, as indexes of Items; an item's second occurrence tests the rater against
	// himself.
	Order []int `json:"order"`
	// Changes are the diffs of the items, by name.
	Changes map[string]string `json:"-"`
}

// Question is asked of every item to which it applies, in the order of the sheet.
type Question struct {
	Key string `json:"key"` // of the answer; the column of a spreadsheet
	Ask string `json:"ask"`
	// Options are the answers. A question with Beside is answered by one of the item's neighbors instead, and does
	// not apply without one.
	Options []Option `json:"options"`
	Beside  bool     `json:"beside"`
	// When is the answer to another question that this one needs; nil if it always applies.
	When *Answered `json:"when"`
}

// Answered is the answer to one question.
type Answered struct {
	Question string `json:"question"`
	Value    string `json:"value"`
}

// Option is an answer to choose.
type Option struct {
	Value string `json:"value"`
	Means string `json:"means"` // when it is the right one
}

// Unsure is the answer of a rater who cannot tell. Every question takes it, and it
// counts as no label.
const Unsure = "unsure"

// Item is one thing to answer about.
type Item struct {
	ID          string  `json:"id"`    // ID makes one
	Title       string  `json:"title"` // of its group, such as the pull request
	URL         string  `json:"url"`   // shown where it is https
	Description string  `json:"description"`
	Body        string  `json:"body"`   // Markdown
	At          Place   `json:"at"`     // the position in the change
	Change      string  `json:"change"` // name among Sheet.Changes; "" for none
	Beside      []Other `json:"beside"` // what it is compared with
}

// Other is a thing beside an item.
type Other struct {
	ID   string `json:"id"` // short and readable: an answer of questions with Beside
	Body string `json:"body"`
	At   Place  `json:"at"`
}

// Place is a line of a change.
type Place struct {
	File string `json:"file"` // "" for none
	Line *int   `json:"line"` // after the change
}

// String is the place for people: src/app.py:12.
func (p Place) String() string {
	if p.Line == nil {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(*p.Line)
}

// Trained is an item with its right answers and the reasons. It has its whole change.
type Trained struct {
	Item
	Diff    string            `json:"diff"`
	Answers map[string]string `json:"answers"`
	Why     string            `json:"why"`
}

// ID identifies an item by its contents, so that labels find it in any order: a letter and 16 hexadecimal digits of
// the SHA-256 of the parts. The letter keeps spreadsheets from taking it for a number.
func ID(parts ...string) string {
	b, _ := json.Marshal(parts) // of texts, which never fails
	sum := sha256.Sum256(b)
	return "i" + hex.EncodeToString(sum[:8])
}

// Sample is the sheet with n of its items, drawn from the seed.
func (s Sheet) Sample(n int, seed uint64) Sheet {
	all := rand.New(rand.NewPCG(seed, 4)).Perm(len(s.Items))
	return s.With(all[:min(n, len(all))], seed)
}

// againEvery is the number of items per repeated one.
const againEvery = 10

// With is the sheet with some of its items, by index, in an order drawn from the seed. One in ten of them is
// repeated, in the second half and not next to its first occurrence.
func (s Sheet) With(chosen []int, seed uint64) Sheet {
	all, changes := s.Items, s.Changes
	s.Items, s.Changes = nil, map[string]string{}
	for _, i := range chosen {
		s.Items = append(s.Items, all[i])
		if name := all[i].Change; name != "" {
			s.Changes[name] = changes[name]
		}
	}
	n := len(s.Items)
	random := rand.New(rand.NewPCG(seed, 3))
	s.Order = random.Perm(n)
	for i := range n / againEvery {
		at := n/2 + 1 + random.IntN(len(s.Order)-n/2)
		s.Order = slices.Insert(s.Order, at, s.Order[i])
	}
	return s
}

// name identifies the sheet: the page stores a rater's answers under it.
func (s Sheet) name() string {
	parts := []string{s.Title, fmt.Sprint(s.Order)}
	for _, it := range s.Items {
		parts = append(parts, it.ID)
	}
	return ID(parts...)
}

// Label is what one rater answered about one item.
type Label struct {
	Item  string `json:"item"`
	Rater string `json:"rater"`
	Again bool   `json:"again"` // the second time that he was asked
	// Answers is the answer by question; questions without an answer have no key.
	Answers map[string]string `json:"answers"`
}
