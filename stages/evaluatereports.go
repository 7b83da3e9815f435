package stages

import (
	"bytes"
	"fmt"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/report"
)

// writeReports puts the report in all its forms.
func (s *session) writeReports(r evaluation.Report, results []evaluation.Result) error {
	return s.writeReport("report", r)
}

// writeReport puts a report as JSON and as Markdown.
func (s *session) writeReport(name string, r evaluation.Report) error {
	if err := s.folder.write(name+".json", r); err != nil {
		return err
	}
	var md bytes.Buffer
	if err := report.Markdown(&md, r); err != nil {
		return err
	}
	return s.folder.put(name+".md", md.Bytes())
}

// ReadReport reads a run's report as it was written.
func ReadReport(run string) (*evaluation.Report, error) {
	r, err := artifacts.ReadJSON[evaluation.Report](run, runReport)
	if err != nil {
		return nil, fmt.Errorf("%s holds no report: run prforge eval run or eval score first: %w", run, err)
	}
	return r, nil
}
