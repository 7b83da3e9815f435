package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prforge/prforge/stages/find"
	"github.com/prforge/prforge/stages/run"
)

// findFlags are the flags of repo find.
type findFlags struct {
	buildFlags
	find.Options
	stars, pushed, out string
	listed             int
	json               bool
}

func (a *app) repoFindCommand() *cobra.Command {
	var f findFlags
	c := &cobra.Command{
		Use:   "find {--language NAME... | --events FILE...} -o repositories.txt",
		Short: "Find repositories for a benchmark, and score the best within a budget",
		Long: `find lists repositories by GitHub's search, however many fit: what gives more than 1,000
results is divided by ranges of stars, then of days. With --events it reads hour files of
GH Archive instead and asks nobody for the list. The most promising come first: those with
the most review comments by people, or pull requests merged in the window. The best --best
are scored as by 'prforge repo score', as far as --points GraphQL points go.

It says what each step costs before it asks, and writes a commented list that
'repositories: FILE' in prforge.yaml reads. Limits and window come from the configuration, or
from the defaults where there is none. Interrupted, also killed, the same command goes on:
what was found is kept in the state until --refresh.`,
		Example: "  prforge repo find --language Go,Rust --stars 100..5000 --points 500 -o repositories.txt\n  prforge repo find --events 2026-03-*.json.gz --points 0 -o repositories.txt",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return a.find(c, f)
		},
	}
	f.add(c)
	flags := c.Flags()
	flags.StringSliceVar(&f.Languages, "language", nil,
		"primary `LANGUAGE` as GitHub names it; several are searched one after another")
	flags.StringVar(&f.stars, "stars", "50..", "range of stars")
	flags.StringVar(&f.pushed, "pushed-after", "", "pushed to since this `DAY`")
	flags.StringSliceVar(&f.Licenses, "license", nil, "SPDX `ID`; none for any but no license")
	flags.StringSliceVar(&f.Topics, "topic", nil, "has this `TOPIC`; several must all be there")
	flags.IntVar(&f.MinMerged, "min-merged", 10, "pull requests merged in the window")
	flags.StringSliceVar(&f.Events, "events", nil, "hour `FILE`s of GH Archive (.json.gz), or a pattern")
	flags.IntVar(&f.Points, "points", 500, "GraphQL points that may be spent; 0 scores nothing")
	flags.IntVar(&f.Best, "best", 40, "how many are scored at most")
	flags.IntVar(&f.listed, "list", 1000, "how many that were not scored are listed")
	flags.StringVarP(&f.out, "output", "o", "", "file of the list; standard output without")
	flags.BoolVar(&f.json, "json", false, "everything as JSON on standard output")
	return c
}

// check reads the flags that are texts.
func (f *findFlags) check() error {
	if len(f.Languages) == 0 && len(f.Events) == 0 {
		return usagef("say what to look for: --language NAME, or --events FILE")
	}
	if f.MinMerged < 0 || f.Points < 0 || f.Best < 0 || f.listed < 0 {
		return usagef("--min-merged, --points, --best and --list are not below 0")
	}
	for _, text := range append(append(f.Languages, f.Licenses...), f.Topics...) {
		if strings.ContainsAny(text, "\":\r\n") || text == "" {
			return usagef("%q is no name of a language, license or topic", text)
		}
	}
	low, high, span := strings.Cut(f.stars, "..")
	var err, err2 error
	f.MinStars, err = strconv.Atoi(low)
	if high != "" && high != "*" {
		f.MaxStars, err2 = strconv.Atoi(high)
	}
	if !span || err != nil || err2 != nil || f.MinStars < 0 || high != "" && high != "*" &&
		f.MaxStars < max(1, f.MinStars) {
		return usagef("--stars is %q, want a range such as 100..5000 or 100..", f.stars)
	}
	if f.pushed != "" {
		if f.PushedAfter, err = time.Parse(time.DateOnly, f.pushed); err != nil {
			return usagef("--pushed-after: want a day such as 2026-01-31, got %q", f.pushed)
		}
	}
	var files []string
	for _, pattern := range f.Events {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			return usagef("--events: there is no file %s", pattern)
		}
		files = append(files, found...)
	}
	f.Events = files
	return nil
}

// find finds, and writes the list.
func (a *app) find(c *cobra.Command, f findFlags) error {
	cfg, err := configOrDefault(f.config, nil)
	if err != nil {
		return err
	}
	f.Private = cfg.NotForPublication()
	f.Cost = func(text string) {
		if !a.quiet {
			_, _ = fmt.Fprintf(a.above, "cost: %s\n", text) // a missing log is no reason to stop
		}
	}
	env, err := a.env(cfg, f.buildFlags)
	if err != nil {
		return err
	}
	var found *find.Found
	points := 0
	err = a.withSession(c.Context(), env, cfg, func(s *run.Session) (err error) {
		found, err = find.Run(c.Context(), s, f.Options)
		points = s.Collector.Cost().Points
		return err
	})
	if err != nil {
		return err
	}
	if !a.quiet {
		fmt.Fprintf(a.stderr, "found: %d repositories, %d scored; %d points spent now\n", len(found.Candidates), found.Afford,
			points)
	}
	if f.json {
		return a.writeJSON(found)
	}
	text := found.Text(askedFor(c.Flags()), f.listed)
	if f.out == "" {
		_, err = io.WriteString(a.stdout, text)
		return err
	}
	return writeWhole(f.out, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// askedFor are the given flags that the list depends on.
func askedFor(flags *pflag.FlagSet) string {
	var out []string
	flags.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "language", "stars", "pushed-after", "license", "topic", "min-merged", "events", "points", "best", "config":
			out = append(out, "--"+f.Name+" "+strings.Join(strings.Fields(strings.Trim(f.Value.String(), "[]")), " "))
		}
	})
	return strings.Join(out, " ")
}
