package fakegithub

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// rest finds the endpoint of a path. Answers about a repository that is gone
// are GitHub's: 404, 451, or 301 to the id for a former name.
func (s *Server) rest(r *http.Request, urlPath string) reply {
	p := strings.Split(strings.Trim(urlPath, "/"), "/")
	var repo *repoState
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return reply{status: http.StatusMethodNotAllowed, body: message("Method Not Allowed"), unmatched: true}
	case p[0] == "repositories" && len(p) >= 2:
		for _, x := range s.site.repos {
			if strconv.FormatInt(x.ID, 10) == p[1] {
				repo = x
			}
		}
		p = append([]string{"repos", "", ""}, p[2:]...)
	case p[0] == "repos" && len(p) >= 3:
		repo = s.site.repo(p[1], p[2])
	default:
		return unknown()
	}
	if repo == nil || repo.Access == Hidden {
		return notFound()
	}
	if repo.blocked() {
		return reply{status: http.StatusUnavailableForLegalReasons, body: encode(map[string]any{
			"message": "Repository access blocked",
			"block": map[string]any{"reason": "dmca", "created_at": "2026-04-01T00:00:00Z",
				"html_url": "https://github.com/github/dmca"},
		})}
	}
	if p[1] != "" && !strings.EqualFold(p[1]+"/"+p[2], repo.FullName()) {
		return s.moved(r, repo, p[3:])
	}
	return s.repoEndpoint(r, repo, p[3:])
}

func (s *Server) moved(r *http.Request, repo *repoState, rest []string) reply {
	to := fmt.Sprintf("%s/%s", s.URL(),
		path.Join(append([]string{"repositories", strconv.FormatInt(repo.ID, 10)}, rest...)...))
	if r.URL.RawQuery != "" {
		to += "?" + r.URL.RawQuery
	}
	return reply{
		status: http.StatusMovedPermanently, headers: map[string]string{"Location": to},
		body: encode(map[string]any{"message": "Moved Permanently", "url": to}),
	}
}

// repoEndpoint serves what is below /repos/OWNER/NAME.
func (s *Server) repoEndpoint(r *http.Request, repo *repoState, p []string) reply {
	if len(p) == 0 {
		return okJSON(s.repoJSON(repo))
	}
	key := ""
	if len(p) > 1 {
		key = strings.Join(p[1:], "/")
	}
	if repo.IsEmpty && p[0] != "pulls" && p[0] != "issues" {
		return reply{status: http.StatusConflict, body: message("Git Repository is empty.")}
	}
	switch p[0] {
	case "pulls":
		return s.pullEndpoint(r, repo, p[1:])
	case "issues":
		if len(p) == 3 && p[2] == "comments" {
			return s.issueComments(r, repo, p[1])
		}
	case "compare":
		return s.compareEndpoint(r, repo, key)
	case "commits":
		return s.commitEndpoint(r, repo, key)
	case "contents":
		return s.contentsEndpoint(r, repo, key)
	case "git":
		if len(p) == 3 {
			return s.objectEndpoint(r, repo, p[1], p[2])
		}
	}
	return unknown()
}

func (s *Server) compareEndpoint(r *http.Request, repo *repoState, key string) reply {
	from, to, _ := strings.Cut(key, "...")
	a, b := repo.commit(from), repo.commit(to)
	if b == nil && s.opts.APIKeepsPurged {
		b = repo.purged[to]
	}
	if a == nil || b == nil {
		return notFound()
	}
	base := mergeBase(a, b)
	if base == nil {
		return notFound()
	}
	d, err := repo.compare(base, b)
	if err != nil {
		return reply{status: http.StatusInternalServerError, body: message(err.Error())}
	}
	if mediaType(r, "diff") {
		return s.diffReply(d)
	}
	return okJSON(map[string]any{
		"status": "ahead", "ahead_by": 1, "behind_by": 0, "total_commits": 1, "base_commit": restCommit(a),
		"merge_base_commit": restCommit(base), "commits": []any{restCommit(b)}, "files": restFiles(d.files),
	})
}

func (s *Server) commitEndpoint(r *http.Request, repo *repoState, key string) reply {
	c := repo.commit(key)
	if c == nil {
		return reply{status: http.StatusUnprocessableEntity, body: message("No commit found for SHA: " + key)}
	}
	if mediaType(r, "diff") && len(c.parents) > 0 {
		d, err := repo.compare(c.parents[0], c)
		if err != nil {
			return reply{status: http.StatusInternalServerError, body: message(err.Error())}
		}
		return s.diffReply(d)
	}
	return okJSON(restCommit(c))
}

func (s *Server) contentsEndpoint(r *http.Request, repo *repoState, name string) reply {
	ref := r.URL.Query().Get("ref")
	if ref == "" {
		ref = "HEAD"
	}
	found, ok := repo.object(ref + ":" + name).(gitObject)
	if !ok {
		return notFound()
	}
	if found.kind == "tree" {
		var out []any
		for _, e := range repo.objects.walk(found.sha, false) {
			kind := map[string]string{"tree": "dir", "blob": "file"}[e.kind]
			out = append(out, map[string]any{"type": kind, "name": e.name, "path": path.Join(name, e.name), "sha": e.sha,
				"size": e.size})
		}
		return okJSON(out)
	}
	if mediaType(r, "raw") {
		return reply{status: http.StatusOK, body: found.bytes(),
			headers: map[string]string{"Content-Type": "application/octet-stream"}}
	}
	return okJSON(map[string]any{
		"type": "file", "name": path.Base(name), "path": name, "sha": found.sha, "size": len(found.bytes()),
		"encoding": "base64",
		"content":  base64.StdEncoding.EncodeToString(found.bytes()),
	})
}

// objectEndpoint serves git/trees, git/blobs and git/commits.
func (s *Server) objectEndpoint(r *http.Request, repo *repoState, kind, sha string) reply {
	switch kind {
	case "trees":
		if c := repo.commit(sha); c != nil {
			sha = c.treeSHA
		}
		if _, ok := repo.objects.trees[sha]; !ok {
			return notFound()
		}
		tree := []any{}
		for _, e := range repo.objects.walk(sha, r.URL.Query().Has("recursive")) {
			entry := map[string]any{"path": e.name, "mode": fmt.Sprintf("%06s", e.mode), "type": e.kind, "sha": e.sha}
			if e.kind == "blob" {
				entry["size"] = e.size
			}
			tree = append(tree, entry)
		}
		return okJSON(map[string]any{"sha": sha, "truncated": false, "tree": tree})
	case "blobs":
		data, ok := repo.objects.blobs[sha]
		if !ok {
			return notFound()
		}
		if mediaType(r, "raw") {
			return reply{status: http.StatusOK, body: bytes.Clone(data),
				headers: map[string]string{"Content-Type": "application/octet-stream"}}
		}
		return okJSON(map[string]any{"sha": sha, "size": len(data), "encoding": "base64",
			"content": base64.StdEncoding.EncodeToString(data)})
	case "commits":
		c := repo.commits[sha]
		if c == nil {
			return notFound()
		}
		out := restCommit(c)
		inner := out["commit"].(map[string]any)
		inner["sha"], inner["parents"] = c.sha, out["parents"]
		return okJSON(inner)
	}
	return unknown()
}

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
	shape := numberPart.ReplaceAllString(shaPart.ReplaceAllString(repoPart.ReplaceAllString(path, "/repos/O/R"), "SHA"),
		"/N")
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
	return encode(map[string]any{"resources": map[string]any{"core": view("core"), "graphql": view("graphql")},
		"rate": view("core")})
}
