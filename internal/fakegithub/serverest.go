package fakegithub

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

var (
	repoPart   = regexp.MustCompile(`^/repos/[^/]+/[^/]+`)
	shaPart    = regexp.MustCompile(`[0-9a-f]{40}`)
	numberPart = regexp.MustCompile(`/\d+`)
)

func (s *Server) serveREST(w http.ResponseWriter, r *http.Request, path string) {
	token := tokenOf(r)
	if !s.admitted(w, token, false) {
		return
	}
	full := path
	if r.URL.RawQuery != "" {
		full += "?" + r.URL.RawQuery
	}
	f := s.fault("rest", full)
	if f != nil && s.before(w, r, f, token) {
		return
	}
	if path == "/rate_limit" {
		s.send(w, http.StatusOK, s.restLimits(token), f)
		return
	}
	shape := numberPart.ReplaceAllString(shaPart.ReplaceAllString(repoPart.ReplaceAllString(path, "/repos/O/R"), "SHA"), "/N")
	reply := s.rest(r, path)
	s.mu.Lock()
	s.stats.Paths[shape]++
	if reply.unmatched {
		s.unmatched = append(s.unmatched, r.Method+" "+path)
	}
	s.mu.Unlock()
	for name, value := range reply.headers {
		w.Header().Set(name, value)
	}
	if !s.spend(w.Header(), token, "core", 1) {
		s.send(w, http.StatusForbidden, message("API rate limit exceeded for user ID 1."), nil)
		return
	}
	s.mu.Lock()
	s.stats.Billed++
	s.mu.Unlock()
	s.send(w, reply.status, reply.body, f)
}

func (s *Server) restLimits(token string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	view := func(resource string) map[string]any {
		b := s.bucketFor(token, resource)
		return map[string]any{"limit": b.limit, "used": b.used, "remaining": b.remaining(), "reset": ceilUnix(b.reset)}
	}
	return encode(map[string]any{"resources": map[string]any{"core": view("core"), "graphql": view("graphql")}, "rate": view("core")})
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
