package bugs

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/prforge/prforge/collectors/python"
	scoring "github.com/prforge/prforge/evaluation/bugs"
	"github.com/prforge/prforge/evaluation/cheats"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/stages/run"
)

// underCeilings checks questions against the configured ceilings. The error is a *cheats.TooEasyError if a reviewer
// that reads no meaning scores too high. Ceilings of its own apply if every item can be decided.
func underCeilings(ctx context.Context, s *run.Session, drawn []bugs.Draft) error {
	ceilings := s.Config.Bugs.Ceilings
	if reflect.ValueOf(ceilings).IsZero() {
		return nil
	}
	items, err := itemsOf(drawn)
	if err != nil {
		return err
	}
	set, whole := scoring.Cheats(pyflakes), "config_"+bugs.ConfigC
	results, err := set.Measure(ctx, scoring.Benchmark{}, items, []string{"config_" + bugs.ConfigA, whole})
	if err != nil {
		return err
	}
	for _, r := range results {
		if r.Not != "" {
			s.Log.Warn("a reference reviewer could not run", "reviewer", r.Cheat, "because", r.Not)
		}
	}
	return ceilings.Check(set.Metric, slices.DeleteFunc(results, func(r cheats.Result) bool {
		_, own := ceilings.Own[r.Cheat]
		return own && r.Config != whole
	}))
}

// pyflakes asks the linter pyflakes beside this machine's Python, what it misses
// first. The error says that there is none.
func pyflakes(ctx context.Context, files []scoring.File) ([][]scoring.Finding, error) {
	o := python.DefaultOptions()
	checker, err := python.NewChecker(ctx, o)
	if err != nil {
		return nil, err
	}
	defer checker.Close()
	out := make([][]scoring.Finding, len(files))
	for i, f := range files {
		checked, err := checker.Check(ctx, f.Path, f.Source)
		switch {
		case err != nil:
			return nil, err
		case checked.Error == nil && checked.Remarks == nil:
			return nil, fmt.Errorf("pyflakes is not installed beside %s", o.Interpreter)
		}
		out[i] = remarked(f.Path, checked)
	}
	return out, nil
}

// remarked are the linter's remarks as findings.
func remarked(path string, c *python.Checked) []scoring.Finding {
	if c.Error != nil {
		return []scoring.Finding{{Path: path, Line: c.Error.Line, Kind: scoring.Indentation, Error: c.Error.Type,
			Why: c.Error.Message}}
	}
	var missed, other []scoring.Finding
	for _, r := range c.Remarks {
		f := scoring.Finding{Path: path, Line: r.Line, Kind: "other", Name: r.Name, Why: r.Type}
		if slices.Contains([]string{"UndefinedName", "UndefinedLocal"}, r.Type) {
			f.Kind = scoring.Undeclared
			missed = append(missed, f)
			continue
		}
		other = append(other, f)
	}
	return append(missed, other...)
}
