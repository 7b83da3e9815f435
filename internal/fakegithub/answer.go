package fakegithub

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// bodyLimit bounds what a request may send: a git client may want many objects.
const bodyLimit = 64 << 20

// send writes an answer, damaged if a fault says so.
func (s *Server) send(w http.ResponseWriter, status int, body []byte, f *Fault) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	body, broken := f.damage(w.Header(), body)
	if f != nil && (f.Garbage || f.Empty) {
		status = http.StatusOK
	}
	w.WriteHeader(status)
	s.count(len(body))
	_, _ = w.Write(body) // the client may be gone
	if broken {
		_ = http.NewResponseController(w).Flush() // what is cut off has to arrive
		panic(http.ErrAbortHandler)
	}
}

func message(text string) []byte {
	return encode(map[string]string{"message": text, "documentation_url": "https://docs.github.com/rest"})
}

// admitted does what both APIs ask of every request: a good token where one is
// needed, and not too many at once. It writes the refusal itself.
func (s *Server) admitted(w http.ResponseWriter, token string, needsToken bool) bool {
	if needsToken && token == "" {
		s.send(w, http.StatusUnauthorized, message("This endpoint requires you to be authenticated."), nil)
		return false
	}
	if s.opts.Token != "" && token != "" && token != s.opts.Token {
		s.send(w, http.StatusUnauthorized, message("Bad credentials"), nil)
		return false
	}
	s.mu.Lock()
	crowded := s.inFlight > s.opts.Limits.withDefaults().Concurrent
	s.mu.Unlock()
	if crowded {
		s.penalize(token, 2*time.Second)
		w.Header().Set("Retry-After", "2")
		s.send(w, http.StatusForbidden,
			message("You have exceeded a secondary rate limit. Please wait a few minutes before you try again."), nil)
		return false
	}
	return true
}

func gunzip(body []byte) []byte {
	z, err := gzip.NewReader(strings.NewReader(string(body)))
	if err != nil {
		return nil
	}
	out, err := io.ReadAll(io.LimitReader(z, bodyLimit))
	if err != nil {
		return nil
	}
	return out
}

// reply is the answer of a REST endpoint.
type reply struct {
	status    int
	body      []byte
	headers   map[string]string
	unmatched bool
}

func okJSON(v any) reply { return reply{status: http.StatusOK, body: encode(v)} }

func notFound() reply { return reply{status: http.StatusNotFound, body: message("Not Found")} }

// listed is one page of a list, with the Link header of its neighbors.
func (s *Server) listed(r *http.Request, items []any) reply {
	per, n := queryInt(r, "per_page", 30), queryInt(r, "page", 1)
	per, n = min(max(per, 1), 100), max(n, 1)
	last := max(1, (len(items)+per-1)/per)
	from := min((n-1)*per, len(items))
	out := okJSON(append([]any{}, items[from:min(from+per, len(items))]...))
	link := func(page int, rel string) string {
		u := *r.URL
		q := u.Query()
		q.Set("page", strconv.Itoa(page))
		return fmt.Sprintf(`<%s%s?%s>; rel="%s"`, s.URL(), u.Path, q.Encode(), rel)
	}
	var links []string
	if n > 1 {
		links = append(links, link(n-1, "prev"), link(1, "first"))
	}
	if n < last {
		links = append(links, link(n+1, "next"), link(last, "last"))
	}
	if links != nil {
		out.headers = map[string]string{"Link": strings.Join(links, ", ")}
	}
	return out
}

func queryInt(r *http.Request, name string, otherwise int) int {
	if n, err := strconv.Atoi(r.URL.Query().Get(name)); err == nil {
		return n
	}
	return otherwise
}

// diffReply is a diff, or 406 where GitHub refuses to make one of that size.
func (s *Server) diffReply(d *parsedDiff) reply {
	limit := s.opts.MaxDiffLines
	if limit == 0 {
		limit = 20_000
	}
	why := ""
	if len(d.files) > 300 {
		why = "number of files (300)"
	} else if strings.Count(d.text, "\n") > limit {
		why = fmt.Sprintf("number of lines (%d)", limit)
	}
	if why != "" {
		return reply{status: http.StatusNotAcceptable, body: encode(map[string]any{
			"message": "Sorry, the diff exceeded the maximum " + why +
				". Consider using 'List pull requests files' API or locally cloning the repository instead.",
			"errors": []any{map[string]string{"resource": "PullRequest", "field": "diff", "code": "too_large"}},
		})}
	}
	return reply{status: http.StatusOK, body: []byte(d.text),
		headers: map[string]string{"Content-Type": "application/vnd.github.v3.diff; charset=utf-8"}}
}

// mediaType reports whether the client asked for one of GitHub's media types.
func mediaType(r *http.Request, name string) bool {
	accept := r.Header.Get("Accept")
	return strings.Contains(accept, "application/vnd.github."+name) ||
		strings.Contains(accept, "application/vnd.github.v3."+name)
}

// restCommit is a commit in REST's form.
func restCommit(c *commit) map[string]any {
	who := map[string]any{"name": c.author, "email": c.author + "@example.invalid", "date": stamp(c.date)}
	parents := []any{}
	for _, p := range c.parents {
		parents = append(parents, map[string]string{"sha": p.sha})
	}
	return map[string]any{
		"sha": c.sha, "parents": parents,
		"commit": map[string]any{"message": c.message, "author": who, "committer": who,
			"tree": map[string]string{"sha": c.treeSHA}},
	}
}

func unknown() reply {
	answer := notFound()
	answer.unmatched = true
	return answer
}
