package escaped

import (
	"context"
	"fmt"
	"time"

	"github.com/prforge/prforge/contextbuilder"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/scoring/escaped"
	"github.com/prforge/prforge/scoring/fixes"
	"github.com/prforge/prforge/stages/run"
)

// contextStage renders what a reviewer sees of a pull request: the three texts of
// the review benchmark.
type contextStage struct{ s *run.Session }

func (contextStage) Name() string { return verdict.StageContexts }

func (st contextStage) Run(ctx context.Context, it *run.Item) (verdict.Verdict, error) {
	builder, err := st.s.Builder()
	if err != nil {
		return verdict.Verdict{}, err
	}
	c := it.Candidate
	sources, err := it.Sources()
	if err != nil {
		return verdict.Verdict{}, err
	}
	prType, _ := scoring.PRType(c.Pull.Title, c.Pull.Labels)
	result, err := builder.Build(ctx, contextbuilder.Input{
		Repo: it.Ref.Repo, Title: c.Pull.Title, Description: c.Pull.Body, Diff: c.Parsed, Base: sources,
		Language: language(st.s, c), PRType: prType, FilesChanged: len(c.Parsed.Files),
	})
	if err != nil {
		return verdict.Verdict{}, fmt.Errorf("contexts of %s: %w", it.Ref, err)
	}
	o := ownOf(it)
	if st.s.Config.Snapshots {
		if o.license, err = st.s.Licenses.At(sources, c.Repo); err != nil {
			return verdict.Verdict{}, err
		}
	}
	for _, text := range []contextbuilder.Context{result.A, result.B, result.C} {
		o.contexts = append(o.contexts, model.BugContext{Config: string(text.Config), Text: text.Rendered,
			Tokens: text.Tokens})
	}
	c.Grade = &model.Grade{Language: language(st.s, c), PRType: prType}
	return verdict.Pass(), nil
}

func language(s *run.Session, c *model.Candidate) string {
	var supported *languages.Set
	if s.Filters.Languages == filters.SupportedLanguages {
		supported = s.Filters.Supported
	}
	return scoring.Language(c.Parsed, c.Repo.Language, supported)
}

// newRecord is the question and the answer of a pull request that passed.
func newRecord(p run.Passed) []*record {
	o, c := ownOf(p.Item), p.Candidate
	fix := o.link.Fix
	r := &record{Item: p.Index, Ref: p.Ref, upstream: c.Final.Pull.BaseRefOid, license: o.license,
		Question: model.EscapedQuestion{Title: c.Pull.Title, Description: c.Pull.Body, Diff: c.Diff.Text,
			Contexts: o.contexts}}
	statement, source := fixes.Statement(fix.Unit, c.Pull.Body)
	r.Answer = model.EscapedAnswer{
		Repo: p.Ref.Repo.String(), PRNumber: p.Ref.Number, Language: c.Grade.Language,
		MergedAt: fixes.MergedAt(o.link, c.Final.Pull).UTC().Format(time.RFC3339),
		Revision: o.revision, Head: c.Pull.HeadOid, Base: c.Base.ForkPoint, Kind: kindLines, Lines: o.lines,
		Statement: statement, Symptom: fixes.Symptom(statement), Source: source, Fix: fix.Oid, FixPR: fixes.Number(fix.Unit),
		FixedAt:  fix.At.UTC().Format(time.RFC3339),
		FixTests: fix.Change.Tests, AgeDays: fixes.Age(o.link, c.Final.Pull), Grade: o.grade,
		Evidence: string(o.link.Evidence),
		Findable: o.findable, Noticed: escaped.Noticed(c.Final.Pull, o.lines, statement),
	}
	if o.link.Lines[0].Near {
		r.Answer.Kind = kindOmission
	}
	return []*record{r}
}

// shard is a shard of this benchmark.
type shard = run.Shard[*record]

// record is a pull request that passed every stage.
type record struct {
	Item     int // index of its trail in the shard's Items
	Ref      model.PullRef
	Question model.EscapedQuestion
	Answer   model.EscapedAnswer
	upstream string // the commit of the base branch that the change is compared with
	license  model.License
}
