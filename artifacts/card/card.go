// Package card writes the README.md and LICENSE.md of a dataset, from figures gathered while its records are written.
package card

import (
	"bytes"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"text/template"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Card is what the dataset card and croissant.json say of the dataset beyond
// its figures.
type Card struct {
	Title       string // a name for people
	Description string // one paragraph
	Homepage    string // where the dataset or the project lives
	Contact     string // where takedown requests go: an address or a URL
	Creator     string // "" names nobody
	License     string // the URL of the license of what the makers added; "" leaves it to LICENSE.md
	Citation    string // how to cite the dataset; "" is its name, version and date
}

// DefaultCard describes a dataset without a configured card. It has no contact: a release should.
func DefaultCard() Card {
	return Card{
		Title:       "SWE-PRBench (open pipeline)",
		Description: "Merged GitHub pull requests with their human review comments as ground truth, for measuring code review by models.",
		Homepage:    "https://github.com/prforge/prforge",
	}
}

//go:embed card.md.tmpl
var cardText string

//go:embed license.md.tmpl
var licenseText string

var (
	cardTemplate    = parseCard(artifacts.FileCard, SnapshotTable+cardText)
	licenseTemplate = parseCard(artifacts.FileLicense, licenseText)
)

// SnapshotTable is the part of a card for snapshots in a dataset and beside one.
const SnapshotTable = `{{define "snapshots"}}| repository | license (SPDX) | records | without a snapshot | objects | unpacked bytes | bytes |
|---|---|---:|---:|---:|---:|---:|
{{range .}}| {{cell .Repo}} | {{cell .License}} | {{.Records}} | {{.Without}} | {{.Objects}} | {{.Bytes}} | {{.Packed}} |
{{end}}{{end}}`

func parseCard(name, text string) *template.Template {
	return template.Must(template.New(name).Funcs(template.FuncMap{
		"cell":    Cell,
		"number":  number,
		"decimal": func(f *artifacts.Float) string { return number(*f) },
		"percent": percent,
		"quote":   strconv.Quote,
	}).Parse(text))
}

// cardData is the input of the templates of README.md and LICENSE.md.
type cardData struct {
	Manifest     artifacts.Manifest
	Card         Card
	Made         bool // its makers or its home are configured
	Records      int
	Languages    []Count
	Types        []Count
	Difficulties []Count
	Anchors      []Count
	States       []Count
	Validations  []Count
	Because      []Count // why the revisions were chosen
	Written      int     // records whose revision a ground-truth comment was written on
	Ones         int     // records with one ground-truth comment
	Spreads      []namedSpread
	Comments     commentFigures
	Licenses     []licenseRow
	Funnel       verdict.Funnel
	Split        model.Split
	Judged       *artifacts.Judged
	Snapshots    *artifacts.SnapshotSummary
	Size         string
}

type namedSpread struct {
	Name string
	Quantiles
}

type commentFigures struct {
	Truth, InDiff, VisibleA, VisibleB, VisibleC, Lined, Resolved, Severity, Humans, Removed, Seen, Standing, Elsewhere int
}

// MostlyGone reports whether less than half of the ground truth applies to the revision shown: the card must say that
// first.
func (c commentFigures) MostlyGone() bool { return 2*c.Standing < c.Truth }

type licenseRow struct {
	Repo, SPDX string
	Count      int
}

// Facts are the inputs of README.md and LICENSE.md.
type Facts struct {
	Manifest artifacts.Manifest
	Card     Card
	Figures  *Figures
	Funnel   verdict.Funnel
	Split    model.Split
	Judged   *artifacts.Judged // nil without judgements
	// Snapshots is nil where there are none.
	Snapshots *artifacts.SnapshotSummary
}

// Render writes README.md (the Hugging Face front matter, the measured figures,
// the funnel, limits) and LICENSE.md.
func (of Facts) Render() (readme, license []byte) {
	d := of.data()
	return d.render(cardTemplate), d.render(licenseTemplate)
}

func (of Facts) data() cardData {
	s := of.Figures
	d := cardData{
		Manifest: of.Manifest, Card: of.Card, Made: of.Card.Creator != "" || of.Card.Homepage != DefaultCard().Homepage,
		Judged: of.Judged, Snapshots: of.Snapshots, Records: s.Records, Languages: Ranked(s.Languages),
		Types:   Ranked(s.Types),
		Anchors: Ranked(s.Anchors), States: counts(s.States, model.CodeStates()),
		Validations: counts(s.Validations, model.Validations()), Because: counts(s.Because, model.RevisionReasons),
		Written: s.Written, Ones: s.Ones, Funnel: of.Funnel, Split: of.Split, Size: sizeCategory(s.Records),
		Comments: commentFigures{s.Truth, s.InDiff, s.Visible["A"], s.Visible["B"], s.Visible["C"], s.lined, s.resolved,
			s.severity, s.humans, s.removed, s.Comments, s.standing, s.Elsewhere},
		Spreads: []namedSpread{
			{"RVS", QuantilesOf(s.RVS)}, {"added lines", QuantilesOf(s.Added)}, {"files changed", QuantilesOf(s.Files)},
			{"ground-truth comments", QuantilesOf(s.GroundTruth)},
		},
	}
	for _, config := range artifacts.Configs {
		d.Spreads = append(d.Spreads, namedSpread{"tokens of " + config, QuantilesOf(s.Tokens[config])})
	}
	for _, name := range difficulties {
		d.Difficulties = append(d.Difficulties, Count{string(name), s.Difficulty[string(name)]})
	}
	for _, a := range s.attributions() {
		d.Licenses = append(d.Licenses, licenseRow{a.repo, a.spdx, s.licenses[a]})
	}
	return d
}

func (d cardData) render(t *template.Template) []byte {
	var b bytes.Buffer
	if err := t.Execute(&b, d); err != nil {
		panic("dataset card: " + err.Error()) // the template and its data are ours: a test runs it
	}
	return b.Bytes()
}

// Marked is a card with the notice of a dataset that is not for publication, below its
// title.
func Marked(readme []byte) []byte {
	title := bytes.Index(append([]byte{'\n'}, readme...), []byte("\n# "))
	end := max(0, title)
	if n := bytes.IndexByte(readme[end:], '\n'); title >= 0 && n >= 0 {
		end += n + 1
	}
	notice := "\n> **" + artifacts.NotForPublication + "**\n"
	return append(append(bytes.Clone(readme[:end]), notice...), readme[end:]...)
}

// Cell escapes a text for a table: one line without markup.
func Cell(s string) string {
	return strings.NewReplacer("\r", " ", "\n", " ", "|", "\\|", "<", "&lt;", ">", "&gt;", "`", "'", "[", "\\[", "]",
		"\\]").Replace(s)
}

// number writes whole numbers without a fraction.
func number(f artifacts.Float) string { return strconv.FormatFloat(float64(f), 'f', -1, 64) }

func percent(part, whole int) string {
	if whole == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// sizeCategory is the Hugging Face name of a dataset's size.
func sizeCategory(n int) string {
	switch {
	case n < 1_000:
		return "n<1K"
	case n < 10_000:
		return "1K<n<10K"
	}
	return "10K<n<100K"
}
