package pagetest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/prforge/prforge/internal/testenv"
)

// findings are what axe finds of weight, one a line: rule, and where.
const findings = `axe.run(document, %s).then((r) => r.violations.filter((v) => ['serious', 'critical'].includes(v.impact))
	.map((v) => v.id + ': ' + v.nodes.slice(0, 4).map((n) => n.target.join(' ') + ' (' + n.failureSummary.split('\n').slice(1).join(' ').trim().slice(0, 160) + ')').join('; ')).join('\n'))`

// HasNoSeriousFinding checks views with axe, in light and in dark, with
// everything unfolded. In dark only the rules about colors are tried: to the
// others nothing has changed. A short test checks the first view alone.
func (b *Tab) HasNoSeriousFinding(views ...string) {
	b.Helper()
	if testing.Short() {
		views = views[:1]
	}
	axe, err := os.ReadFile(filepath.Join(testenv.Root(b),
		"internal/page/pagetest/testdata/axe/node_modules/axe-core/axe.min.js"))
	if err != nil {
		testenv.Missing(b, "axe is not installed: run 'make node'")
	}
	b.Do(chromedp.Evaluate[chromedp.Void](string(axe)))
	for _, c := range []struct{ scheme, rules string }{{"light", "{resultTypes: ['violations']}"},
		{"dark", "{resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block']}"}} {
		b.scheme(c.scheme)
		for _, at := range views {
			b.Show(at)
			b.Wait("true")
			found,
				err := chromedp.Run(b.ctx, chromedp.Evaluate[string](fmt.Sprintf(findings, c.rules), chromedp.EvalAwaitPromise))
			if err != nil {
				b.Fatal(err)
			}
			if found != "" {
				b.Errorf("%s in %s:\n%s", at, c.scheme, found)
			}
		}
	}
}
