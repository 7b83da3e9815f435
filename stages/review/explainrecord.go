package review

import (
	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/stages/run"
)

// explainRecord adds the evidence of a record; false where there is none.
func explainRecord(dir string, out *run.Explanation, is func(repo string, number int) bool, number int) (bool, error) {
	var record *artifacts.Record
	for r, err := range load.ReadLines[artifacts.Record](dir, artifacts.FileRecords) {
		if err != nil {
			return false, err
		}
		if !is(r.Repo, r.PRNumber) {
			continue
		}
		out.Records++
		if artifacts.RecordOf(r.TaskID) == number {
			record = r
		}
	}
	if record == nil {
		return false, nil
	}
	var err error
	out.Evidence, err = load.ReadJSON[artifacts.Evidence](dir, artifacts.FileEvidence(record.TaskID))
	if err != nil {
		return true, err
	}
	out.Verdicts = out.Evidence.Verdicts
	out.Pull = &convert.Seen{
		Repo: record.Repo, Number: record.PRNumber, URL: record.PRURL, Title: record.Title, Author: out.Evidence.Author,
		Description: record.Description, CreatedAt: out.Evidence.CreatedAt, MergedAt: record.MergedAt, Comments: out.Evidence.Comments,
	}
	return true, nil
}
