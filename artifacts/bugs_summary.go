package artifacts

import (
	"maps"
	"slices"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// BugSummary has the figures of a dataset of files with one fault.
type BugSummary struct {
	Name         string         `json:"name"`
	FreezeDate   string         `json:"freeze_date"`
	Questions    int            `json:"questions"` // with a fault
	Controls     int            `json:"controls"`
	Kinds        []BugCount     `json:"kinds"`
	Levels       []BugCount     `json:"levels"`
	Repositories []BugCount     `json:"repositories"`
	Funnel       verdict.Funnel `json:"funnel"`
}

// BugCount is a group of questions with a fault.
type BugCount struct {
	Name      string  `json:"name"`
	Questions int     `json:"questions"`
	Chance    float64 `json:"chance"` // mean chance of a drawn line
}

// CountBugs counts the questions with a fault by some property, by name.
func CountBugs(answers []model.BugAnswer, of func(model.BugAnswer) string) []BugCount {
	by := map[string]*BugCount{}
	for _, a := range answers {
		if a.Fault == nil {
			continue
		}
		name := of(a)
		if by[name] == nil {
			by[name] = &BugCount{Name: name}
		}
		by[name].Questions++
		by[name].Chance += a.Chance
	}
	var out []BugCount
	for _, name := range slices.Sorted(maps.Keys(by)) {
		c := *by[name]
		c.Chance /= float64(c.Questions)
		out = append(out, c)
	}
	return out
}
