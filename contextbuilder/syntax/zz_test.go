package syntax

import (
	sitter "github.com/smacker/go-tree-sitter"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestSpeed(t *testing.T) {
	for _, r := range []struct {
		m, ext string
		l      Language
	}{{"dask+dask", ".py", Python}, {"netty+netty", ".java", Java}, {"docker+compose", ".go", Go}, {"colinhacks+zod", ".ts", TypeScript}, {"expressjs+express", ".js", JavaScript}} {
		out, _ := exec.Command("sh", "-c", "cd /work/.mirror/"+r.m+"/repo && git ls-tree -r HEAD | grep '\\"+r.ext+"$' | awk '{print $3}' | git cat-file --batch --buffer").Output()
		// split
		var blobs [][]byte
		for len(out) > 0 {
			i := strings.IndexByte(string(out[:200]), '\n')
			h := strings.Fields(string(out[:i]))
			n := 0
			for _, c := range h[2] {
				n = n*10 + int(c-'0')
			}
			blobs = append(blobs, out[i+1:i+1+n])
			out = out[i+2+n:]
			if len(out) < 200 && len(out) > 0 {
				break
			}
		}
		g := grammars[r.l]()
		total := 0
		nodes := 0
		var tp, tw time.Duration
		for _, b := range blobs {
			total += len(b)
			t0 := time.Now()
			g.withTree(b, 10*time.Second, func(tr *sitter.Tree) {
				t1 := time.Now()
				tp += t1.Sub(t0)
				x := copyTree(tr, g, b, 1000)
				nodes += len(x.nodes)
				tw += time.Since(t1)
			})
		}
		var ms runtime.MemStats
		runtime.ReadMemStats(&ms)
		t.Logf("%s files %d MB %.1f parse %v walk %v nodes %d alloc %d MB", r.m, len(blobs), float64(total)/1e6, tp, tw, nodes, ms.TotalAlloc>>20)
	}
}
