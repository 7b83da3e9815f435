package artifacts

import (
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// BugSummary is what a dataset of files with one fault holds.
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

// SummarizeBugs reads the figures of a dataset of files with one fault.
func SummarizeBugs(r *Reader) (*BugSummary, error) {
	var set BugSet
	s := &BugSummary{Name: r.Manifest.Name, FreezeDate: r.Manifest.FreezeDate}
	for a, err := range ReadLines[model.BugAnswer](r.Dir, FileBugAnswers) {
		if err != nil {
			return nil, err
		}
		set.Answers = append(set.Answers, *a)
		if a.Fault == nil {
			s.Controls++
		}
	}
	s.Questions = len(set.Answers) - s.Controls
	s.Kinds = set.counts(func(a model.BugAnswer) string { return a.Kind })
	s.Levels = set.counts(func(a model.BugAnswer) string { return model.LevelName(a.Level) })
	s.Repositories = set.counts(func(a model.BugAnswer) string { return a.Repo })
	funnel, err := r.Funnel()
	if err != nil {
		return nil, err
	}
	s.Funnel = *funnel
	return s, nil
}
