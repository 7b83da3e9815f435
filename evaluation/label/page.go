package label

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/page"
)

// pageJS is the page's own script.
//
//go:embed label.js
var pageJS string

// index is the page's initial data.
type index struct {
	Sheet
	Name     string      `json:"name"`
	Training []shownItem `json:"training"`
	Items    []shownItem `json:"items"`
	Labels   []Label     `json:"labels"`
}

// shownItem is an item as the page shows it.
type shownItem struct {
	Item
	Description []markdown.Node   `json:"description"`
	Body        []markdown.Node   `json:"body"`
	Change      string            `json:"change"` // the block with the diff; "" for none
	Diff        string            `json:"diff,omitempty"`
	Beside      []shownOther      `json:"beside"`
	Answers     map[string]string `json:"answers,omitempty"`
	Why         string            `json:"why,omitempty"`
}

type shownOther struct {
	Other
	Body []markdown.Node `json:"body"`
}

// HTML writes the sheet as one page that opens from disk and makes no requests: one item per screen, answers stored
// in the browser and exported as a table that ReadCSV reads. With labels of several raters it begins with the items
// on which they differ. The same sheet and labels give the same bytes.
func (s Sheet) HTML(w io.Writer, labels []Label) error {
	blocks := map[string]string{}
	names := slices.Sorted(maps.Keys(s.Changes))
	for i, name := range names {
		blocks[name] = "change-" + strconv.Itoa(i)
	}
	in := index{Sheet: s, Name: s.name(), Training: []shownItem{}, Items: []shownItem{},
		Labels: append([]Label{}, labels...)}
	for _, it := range s.Items {
		in.Items = append(in.Items, show(it, blocks[it.Change]))
	}
	for _, t := range s.Training {
		it := show(t.Item, "")
		it.Diff, it.Answers, it.Why = t.Diff, t.Answers, t.Why
		in.Training = append(in.Training, it)
	}
	p := page.Page{
		Name: "prforge label", Title: s.Title, Script: pageJS,
		Views: []page.View{{Name: "", Label: "Start"}, {Name: "training", Label: "Training"}, {Name: "item", Label: "Label"},
			{Name: "export", Label: "Export"}},
		Keys: []page.Key{
			{Keys: "1 2 … 9", Does: "the answer of that number"}, {Keys: "u", Does: "unsure"},
			{Keys: "z", Does: "undo the last answer"},
			{Keys: "n p", Does: "next and previous, without an answer"}, {Keys: "Esc", Does: "to the start"},
			{Keys: "?", Does: "this help"},
		},
	}
	if len(labels) > 0 {
		p.Views = append(p.Views, page.View{Name: "differ", Label: "Disagreements"})
	}
	out, err := p.Begin(w, in)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := out.Block(blocks[name], s.Changes[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return out.Close()
}

func show(it Item, block string) shownItem {
	out := shownItem{Item: it, Description: markdown.Tree(it.Description), Body: markdown.Tree(it.Body), Change: block,
		Beside: []shownOther{}}
	for _, o := range it.Beside {
		out.Beside = append(out.Beside, shownOther{Other: o, Body: markdown.Tree(o.Body)})
	}
	return out
}
