// Package report shows an evaluation: as Markdown, as comma-separated values,
// and as one page for a browser. It only shows; every number is computed by
// evaluation.
package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/text"
)

// Markdown writes the leaderboard, the breakdowns and the comparisons.
func Markdown(w io.Writer, r evaluation.Report) error {
	b := bufio.NewWriter(w) // keeps its first error for Flush
	fmt.Fprintf(b, "# Evaluation of %s\n\n", cell(r.Plan.Dataset.Name))
	fmt.Fprintf(b, "Benchmark %s, protocol %s, judge %s. Records: %s.\n\n", cell(r.Plan.Benchmark), cell(r.Plan.Protocol),
		cell(judgeOf(r.Plan)), r.Records())
	for _, warning := range r.Warnings {
		fmt.Fprintf(b, "> **%s**\n>\n", cell(warning))
	}
	leaderboard(b, r)
	breakdown(b, r)
	comparisons(b, r)
	for _, t := range r.Tables {
		table(b, t)
	}
	fmt.Fprintf(b, "\n## What the numbers mean\n\n")
	for _, m := range r.Metrics {
		fmt.Fprintf(b, "- **%s**: %s\n", cell(m.Name), cell(m.Means))
	}
	fmt.Fprintf(b,
		"\nIntervals hold 95 %%: Student's t with the jackknife over %ss, as many degrees of freedom as %ss of equal size would say as much, less one. Ranks are ranges: two models whose ranges overlap are not distinguishable.\n", cell(r.Plan.Cluster), cell(r.Plan.Cluster))
	return b.Flush()
}

func judgeOf(p evaluation.Plan) string {
	if !p.Judge.Asks() {
		return p.Judge.ID + " (rules)"
	}
	return fmt.Sprintf("%s (%s, %s mode, %d times)", p.Judge.ID, p.Judge.Model, p.Judge.Mode, p.Judge.Repeat)
}

func leaderboard(b *bufio.Writer, r evaluation.Report) {
	names := partNames(r)
	var head []string
	for _, m := range headline(r) {
		head = append(head, m.Name)
	}
	head = append(append([]string{"rank", "model"}, head...), names...)
	if r.HasComments() {
		head = append(head, "comments")
	}
	header(b, append(head, "failed", "cost")...)
	for _, m := range r.Models {
		line := []string{rankOf(m), m.Model}
		for _, v := range headlineValues(r, m) {
			line = append(line, interval(v.Micro))
		}
		for _, name := range names {
			line = append(line, number(m.Parts[name].Mean))
		}
		if r.HasComments() {
			line = append(line, fmt.Sprint(m.Counts["comments"]))
		}
		failed := fmt.Sprintf("%d of %d", m.Failed, m.Planned)
		if m.NotAsked > 0 {
			failed += fmt.Sprintf(", %d not asked", m.NotAsked)
		}
		row(b, append(line, failed, dollars(m.Cost))...)
	}
}

// partNames are the figures that are not shares, sorted.
func partNames(r evaluation.Report) []string {
	names := map[string]bool{}
	for _, m := range r.Models {
		for name := range m.Parts {
			names[name] = true
		}
	}
	for _, m := range r.Metrics {
		delete(names, m.Name) // it has a column of its own
	}
	return slices.Sorted(maps.Keys(names))
}

func headline(r evaluation.Report) []evaluation.Metric {
	return slices.DeleteFunc(slices.Clone(r.Metrics), func(m evaluation.Metric) bool { return !m.Headline })
}

func headlineValues(r evaluation.Report, m evaluation.ModelReport) []evaluation.Value {
	var out []evaluation.Value
	for i, v := range m.Values {
		if r.Metrics[i].Headline {
			out = append(out, v)
		}
	}
	return out
}

func rankOf(m evaluation.ModelReport) string {
	if m.BestRank == m.WorstRank {
		return fmt.Sprint(m.BestRank)
	}
	return fmt.Sprintf("%d-%d", m.BestRank, m.WorstRank)
}

// breakdown is the other metrics, and each configuration by difficulty.
func breakdown(b *bufio.Writer, r evaluation.Report) {
	fmt.Fprintf(b, "\n## All rates\n\n")
	header(b, append([]string{"model", "mean over"}, namesOf(r.Metrics)...)...)
	for _, m := range r.Models {
		micro, macro := []string{m.Model, "everything"}, []string{"", "records"}
		for _, v := range m.Values {
			micro, macro = append(micro, interval(v.Micro)), append(macro, interval(v.Macro))
		}
		row(b, micro...)
		row(b, macro...)
	}
	fmt.Fprintf(b, "\n## By configuration and difficulty\n\n")
	header(b, append([]string{"model", "configuration", "difficulty", "tasks"}, namesOf(headline(r))...)...)
	for _, c := range r.Cells {
		if c.Config == "" || c.Language != "" {
			continue
		}
		line := []string{c.Model, c.Config, cmp.Or(c.Difficulty, "all"), fmt.Sprint(c.Tasks)}
		for _, rate := range c.Rates {
			line = append(line, number(rate.Value))
		}
		if c.Few {
			line[3] += " (few)"
		}
		row(b, line...)
	}
}

func namesOf(metrics []evaluation.Metric) []string {
	var out []string
	for _, m := range metrics {
		out = append(out, m.Name)
	}
	return out
}

func comparisons(b *bufio.Writer, r evaluation.Report) {
	if len(r.Pairs) > 0 {
		fmt.Fprintf(b, "\n## Paired comparisons\n\n")
		header(b, "a", "b", "a - b", "p (Holm)", "")
		for _, p := range r.Pairs {
			row(b, p.A, p.B, interval(p.Difference.Estimate), number(p.Adjusted), verdict(p.Significant))
		}
	}
	if len(r.Steps) > 0 {
		fmt.Fprintf(b, "\n## Configurations compared\n\n")
		header(b, "model", "from", "to", "difference", "p (Holm)", "")
		for _, s := range r.Steps {
			row(b, s.Model, s.From, s.To, interval(s.Difference.Estimate), number(s.Adjusted), verdict(s.Significant))
		}
	}
}

// table is one of the benchmark's own.
func table(b *bufio.Writer, t evaluation.Table) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n", cell(t.Title), plainText(t.Means))
	header(b, slices.Concat([]string{"model"}, t.Labels, t.Columns)...)
	for _, x := range t.Rows {
		line := append([]string{x.Model}, x.Labels...)
		for _, f := range x.Figures {
			line = append(line, figure(f))
		}
		row(b, line...)
	}
}

func verdict(significant bool) string {
	if significant {
		return "significant"
	}
	return "not distinguishable"
}

func figure(f evaluation.Figure) string {
	if f.Count {
		return fmt.Sprint(int(f.Value))
	}
	return interval(stats.Estimate{Value: f.Value, Low: f.Low, High: f.High})
}

// header writes the first row of a table and its rule.
func header(b *bufio.Writer, cells ...string) {
	row(b, cells...)
	fmt.Fprintf(b, "|%s\n", strings.Repeat(" --- |", len(cells)))
}

func row(b *bufio.Writer, cells ...string) {
	for i, c := range cells {
		cells[i] = cell(c)
	}
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

// cell escapes a text so that it cannot end a cell, begin markup or control a terminal.
func cell(s string) string { return plainText(text.Clip(s, 200)) }

// plainText is a text without markup.
func plainText(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ", "`", "'").Replace(text.OneLine(s))
}

func number(n stats.Number) string {
	if !n.Defined() {
		return "–"
	}
	return fmt.Sprintf("%.3f", float64(n))
}

func interval(e stats.Estimate) string {
	if !e.Value.Defined() {
		return "–"
	}
	if !e.Low.Defined() {
		return number(e.Value)
	}
	return fmt.Sprintf("%s [%.2f, %.2f]", number(e.Value), float64(e.Low), float64(e.High))
}

func dollars(c evaluation.Cost) string {
	if c.USD+c.JudgeUSD == 0 {
		return "–"
	}
	return fmt.Sprintf("$%.2f + $%.2f judging", c.USD, c.JudgeUSD)
}
