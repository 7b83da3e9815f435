package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/label"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/table"
	"github.com/prforge/prforge/stages/evaluate"
)

// labelFlags are the flags of label.
type labelFlags struct {
	out    string
	read   []string
	sample int
	seed   uint64
}

func (a *app) labelCommand() *cobra.Command {
	var f labelFlags
	c := &cobra.Command{
		Use:   "label RUN|DATASET",
		Short: "Have people label comments, on a page without a network",
		Long: `label writes one page, or a table for a spreadsheet, on which people label comments: those
of a run of reviewers, blind, or the ground truth of a dataset. Of a dataset of escaped
defects it asks about the links of grade B. The page keeps the answers in the browser and
exports them as a table.

--read reads such tables back, in any order and from any spreadsheet, says how far the
raters agree, and keeps the labels of a run in its folder: its report then has every rate
also as people would give it. With -o it writes a page of the items on which raters differ.
Of a dataset it also prints what a configuration takes, so that the next build follows it,
or writes it to -o: lines of ground_truth.overrides to a .jsonl, of escaped defects the
entries of escaped.answers to a .yaml.

docs/labelling.md leads from a run to labels of two raters.`,
		Example: "  prforge label out/run -o label.html --sample 100\\n  prforge label out/run --read labels-ada.csv --read labels-ben.csv -o differ.html",
		Args:    exactArgs("RUN|DATASET"),
		RunE:    func(c *cobra.Command, args []string) error { return a.label(c.Context(), args[0], f) },
	}
	c.Flags().StringVarP(&f.out, "output", "o", "",
		"new `FILE`: a page, a table where it ends in .csv, or answers where it ends in .jsonl or .yaml")
	c.Flags().StringArrayVar(&f.read, "read", nil, "`FILE` of labels; once for each")
	c.Flags().IntVar(&f.sample, "sample", 100, "items to label")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the sample and of its order")
	return c
}

func (a *app) label(ctx context.Context, dir string, f labelFlags) error {
	if f.out == "" && len(f.read) == 0 {
		return usagef("say where the page goes: prforge label %s -o label.html", dir)
	}
	if f.sample < 1 {
		return usagef("--sample must be at least 1")
	}
	e, err := a.evaluation("", dir, evaluate.Config{})
	if err != nil {
		return err
	}
	ofRun := evaluate.IsRun(dir)
	var l *evaluate.Labels
	if ofRun {
		l, err = e.RunLabels(ctx)
	} else {
		l, err = e.DatasetLabels(ctx, dir)
	}
	if err != nil {
		return err
	}
	asAnswers := l.AnswersIn != "" && strings.EqualFold(filepath.Ext(f.out), l.AnswersIn)
	if asAnswers && len(f.read) == 0 {
		return usagef("-o %s: only answers, from --read, are written as %s", f.out, l.AnswersIn)
	}
	if len(f.read) > 0 {
		if err := a.readLabels(ctx, e, l, f.read, ofRun); err != nil {
			return err
		}
	}
	if l.Answers != nil && len(f.read) > 0 && (f.out == "" || asAnswers) {
		return a.writeAnswers(l, f.out)
	}
	if f.out == "" {
		return nil
	}
	return a.writeSheet(l, f)
}

// writeAnswers writes labels in the form that the configuration takes: a new file, or to the output if out is "".
func (a *app) writeAnswers(l *evaluate.Labels, out string) error {
	text, err := l.Answers(l.Labels)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { _, err := w.Write(text); return err }
	if out == "" {
		return write(a.stdout)
	}
	return a.writeNew(out, write)
}

// readLabels reads tables, stores the labels in a run, and shows how far raters agree.
func (a *app) readLabels(ctx context.Context, e *evaluate.Evaluation, l *evaluate.Labels, files []string,
	ofRun bool) error {
	if err := l.Read(files); err != nil {
		return err
	}
	if !ofRun {
		for _, q := range l.Sheet.Questions {
			a.showRaters(q.Key,
				label.Agree(stats.Default(), q.Key, l.Labels, func(item string) label.Standing { return label.Standing{} }))
		}
		return nil
	}
	out, err := e.KeepLabels(ctx, l)
	if err != nil {
		return err
	}
	agreement, err := e.Agree(ctx, "")
	if err != nil {
		return err
	}
	a.showPeople(*agreement.People)
	a.showPeopleRates(out.Report)
	return nil
}

// writeSheet writes a page or a table.
func (a *app) writeSheet(l *evaluate.Labels, f labelFlags) error {
	sheet := l.Draw(f.sample, f.seed)
	write := func(w io.Writer) error { return sheet.HTML(w, nil) }
	switch {
	case strings.EqualFold(filepath.Ext(f.out), ".csv"):
		write = sheet.WriteCSV
	case len(f.read) > 0:
		differ := l.Sheet.With(l.Sheet.Differ(l.Labels), f.seed)
		write = func(w io.Writer) error { return differ.HTML(w, l.Labels) }
	}
	return a.writeNew(f.out, write)
}

// writeNew writes a file that does not exist yet.
func (a *app) writeNew(out string, write func(io.Writer) error) error {
	if _, err := os.Lstat(out); !errors.Is(err, fs.ErrNotExist) {
		return usagef("%s exists; labels are never overwritten", out)
	}
	if err := writeWhole(out, write); err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "written: %s\n", out)
	return nil
}

// showPeople shows how far people agree with each other and with the judge.
func (a *app) showPeople(p evaluation.PeopleAgreement) {
	fmt.Fprintf(a.stdout, "people:   %d comments labeled; figures are weighed to the whole run\n", p.Comments)
	for _, part := range []struct {
		name   string
		people label.Agreement
		judge  []label.Pair
	}{{"label", p.Labels, p.Judge}, {"what changes a score", p.Matched, p.JudgeMatched}} {
		a.showRaters(part.name, part.people)
		for _, pair := range part.judge {
			fmt.Fprintf(a.stdout, "  %s and %s: kappa %s on %d comments\n", pair.A, pair.B, alphaText(pair.Agreement.Kappa),
				pair.Agreement.Items)
		}
	}
}

func (a *app) showRaters(name string, g label.Agreement) {
	fmt.Fprintf(a.stdout, "%s: %d labeled, %d times unsure, alpha %s\n", name, g.Items, g.Unsure, alphaText(g.Alpha))
	for _, p := range g.Pairs {
		fmt.Fprintf(a.stdout, "  %s and %s: kappa %s on %d comments\n", p.A, p.B, alphaText(p.Agreement.Kappa),
			p.Agreement.Items)
	}
	for _, s := range g.Selves {
		fmt.Fprintf(a.stdout, "  %s, asked twice: the same answer for %s of %d\n", s.Rater, alphaText(s.Same),
			s.Same.Clusters)
	}
}

// showPeopleRates shows the leaderboard by the judge and by people's labels.
func (a *app) showPeopleRates(r evaluation.Report) {
	t := table.New("model", "rate", "judge", "people")
	for _, m := range r.Models {
		for _, v := range m.Values {
			if v.People != nil {
				t.Row(m.Model, v.Metric, alphaText(v.Micro), alphaText(*v.People))
			}
		}
	}
	fmt.Fprintln(a.stdout, t.Text(false))
}

// alphaText is an agreement with its interval.
func alphaText(e stats.Estimate) string {
	if !e.Value.Defined() || !e.Low.Defined() {
		return numberText(e.Value)
	}
	return fmt.Sprintf("%.3f [%.2f-%.2f]", float64(e.Value), float64(e.Low), float64(e.High))
}

func numberText(n stats.Number) string {
	if !n.Defined() {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(n))
}
