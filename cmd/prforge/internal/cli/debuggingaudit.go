package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts/debugging"
)

// debuggingSummary is a summary as text.
func debuggingSummary(s *debugging.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d samples of %d scripts, %d with one error, %d with several; %s\n", s.Name, s.Samples, s.Scripts, s.Single, s.Multi, s.Runtime)
	fmt.Fprintf(&b, "%d of %d single errors show on another statement than their cause\n\n", s.MultiHop, s.Single)
	for _, st := range s.Funnel.Stages {
		fmt.Fprintf(&b, "%-12s %6d in %6d pass %6d reject %4d failed", st.Stage, st.In, st.Pass, st.Reject, st.Failed)
		for _, code := range slices.Sorted(maps.Keys(st.Reasons)) {
			fmt.Fprintf(&b, "  %s %d", code, st.Reasons[code])
		}
		b.WriteByte('\n')
	}
	for _, t := range []struct {
		name string
		rows []debugging.Row
	}{{"errors", s.Counts}, {"type", s.Types}, {"operator", s.Operators}, {"library", s.Libraries}, {"license", s.Licenses}} {
		fmt.Fprintf(&b, "\n%-28s samples  share\n", t.name)
		for _, r := range t.rows {
			fmt.Fprintf(&b, "%-28s %7d  %s\n", clip(r.Name, 28), r.Count, r.Share)
		}
	}
	return b.String()
}
