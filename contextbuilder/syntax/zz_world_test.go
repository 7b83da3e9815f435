package syntax

import (
	"fmt"
	"os"
	"os/exec"
	"sort"
	"strings"
	"testing"
)

func blobs(repo, ext string) map[string][]byte {
	names, _ := exec.Command("git", "-C", "/work/.mirror/"+repo+"/repo", "ls-tree", "-r", "HEAD").Output()
	m := map[string][]byte{}
	var ids []string
	var ps []string
	for _, l := range strings.Split(string(names), "\n") {
		a := strings.SplitN(l, "\t", 2)
		if len(a) == 2 && strings.HasSuffix(a[1], ext) {
			ids = append(ids, strings.Fields(a[0])[2])
			ps = append(ps, a[1])
		}
	}
	cmd := exec.Command("git", "-C", "/work/.mirror/"+repo+"/repo", "cat-file", "--batch", "--buffer")
	cmd.Stdin = strings.NewReader(strings.Join(ids, "\n") + "\n")
	out, _ := cmd.Output()
	for k := 0; len(out) > 0 && k < len(ps); k++ {
		i := 0
		for out[i] != '\n' {
			i++
		}
		h := strings.Fields(string(out[:i]))
		if len(h) < 3 {
			out = out[i+1:]
			continue
		}
		n := 0
		for _, c := range h[2] {
			n = n*10 + int(c-'0')
		}
		m[ps[k]] = out[i+1 : i+1+n]
		out = out[i+2+n:]
	}
	return m
}

var repos = []struct{ m, ext string }{{"dask+dask", ".py"}, {"celery+celery", ".py"}, {"netty+netty", ".java"}, {"docker+compose", ".go"}, {"colinhacks+zod", ".ts"}, {"colinhacks+zod", ".tsx"}, {"expressjs+express", ".js"}}

func TestFragments(t *testing.T) {
	for _, r := range repos {
		if f := os.Getenv("ONLY"); f != "" && !strings.Contains(r.m, f) {
			continue
		}
		m := blobs(r.m, r.ext)
		var ps []string
		for p := range m {
			ps = append(ps, p)
		}
		sort.Strings(ps)
		n, bad, broken, calls := 0, 0, 0, 0
		shown := 0
		deg := map[Reason]int{}
		for pi, p := range ps {
			if r.m == "netty+netty" && pi%10 != 0 {
				continue
			}
			f := Parse(p, m[p], DefaultOptions())
			deg[f.Degraded]++
			calls += len(f.Calls)
			for i := range f.Definitions {
				for form := Stub; form <= Documented; form++ {
					n++
					s, ok := f.Compose(m[p], Pick{i, form})
					if !ok {
						if f.Definitions[i].Broken {
							broken++
							continue
						}
						bad++
						if shown < 6 {
							shown++
							fmt.Printf("BAD %s %s form %d\n%s\n------\n", p, f.Definitions[i].Qualified, form, s[:min(len(s), 700)])
						}
					}
				}
				if len(f.Children(i)) > 0 {
					n++
					if s, ok := f.Skeleton(m[p], i); !ok && !f.Definitions[i].Broken {
						bad++
						if shown < 6 {
							shown++
							fmt.Printf("BADSKEL %s %s\n%s\n------\n", p, f.Definitions[i].Qualified, s[:min(len(s), 700)])
						}
					}
				}
			}
			for _, s := range f.Statements {
				n++
				if x, ok := f.Statement(m[p], s); !ok {
					bad++
					if shown < 6 {
						shown++
						fmt.Printf("BADST %s %v\n%s\n------\n", p, s, x[:min(len(x), 500)])
					}
				}
			}
		}
		fmt.Printf("%s: files %d fragments %d bad %d broken %d calls %d deg %v\n", r.m, len(ps), n, bad, broken, calls, deg)
	}
}
