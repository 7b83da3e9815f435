package load

import (
	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
)

// SummarizeBugs reads the figures of a dataset of files with one fault.
func SummarizeBugs(r *Reader) (*artifacts.BugSummary, error) {
	answers, err := All[model.BugAnswer](r.Dir, artifacts.FileBugAnswers)
	if err != nil {
		return nil, err
	}
	s := &artifacts.BugSummary{Name: r.Manifest.Name, FreezeDate: r.Manifest.FreezeDate}
	for _, a := range answers {
		if a.Fault == nil {
			s.Controls++
		}
	}
	s.Questions = len(answers) - s.Controls
	s.Kinds = artifacts.CountBugs(answers, func(a model.BugAnswer) string { return a.Kind })
	s.Levels = artifacts.CountBugs(answers, func(a model.BugAnswer) string { return model.LevelName(a.Level) })
	s.Repositories = artifacts.CountBugs(answers, func(a model.BugAnswer) string { return a.Repo })
	funnel, err := r.Funnel()
	if err != nil {
		return nil, err
	}
	s.Funnel = *funnel
	return s, nil
}
