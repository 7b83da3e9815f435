package fakegithub

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cgi"
	"os/exec"
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/child"
)

var gitPath = regexp.MustCompile(`^/([^/]+)/([^/]+)\.git/(.*)$`)

// packSection begins the part of an answer that has objects, in version 2 of the
// protocol.
var packSection = []byte("000dpackfile\n")

// serveGit answers git's smart HTTP protocol by git's own http-backend: fetches
// by any SHA, shallow and partial ones, refs/pull/N/head.
func (s *Server) serveGit(w http.ResponseWriter, r *http.Request, body []byte) {
	sent := body
	if r.Header.Get("Content-Encoding") == "gzip" {
		sent = gunzip(body)
	}
	f := s.fault("git", r.URL.RequestURI()+" "+string(sent))
	if f != nil && s.before(w, r, f, tokenOf(r)) {
		return
	}
	m := gitPath.FindStringSubmatch(r.URL.Path)
	var repo *repoState
	if m != nil {
		repo = s.site.repo(m[1], m[2])
	}
	switch {
	case repo == nil || repo.Access == Hidden:
		s.send(w, http.StatusNotFound, []byte("Not Found"), nil)
		return
	case repo.blocked():
		s.send(w, http.StatusForbidden, []byte("Access to this repository has been disabled by GitHub staff"), nil)
		return
	case !strings.EqualFold(m[1]+"/"+m[2], repo.FullName()):
		w.Header().Set("Location", s.URL()+"/"+repo.FullName()+".git/"+m[3]+"?"+r.URL.RawQuery)
		s.send(w, http.StatusMovedPermanently, nil, nil)
		return
	}
	if repo.Access == TakenDown {
		defer repo.taken.Store(true)
	}
	git, err := exec.LookPath("git")
	if err == nil {
		err = child.Seal() // the handler starts git itself
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	// The CGI protocol wants the body's length, which git's clients leave out
	// when it is large.
	request := r.Clone(r.Context())
	request.Body, request.ContentLength, request.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)),
		nil
	request.URL.Path = "/" + repo.FullName() + ".git/" + m[3]
	backend := &cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Root: "/", Dir: s.dir, Stderr: io.Discard,
		Env: append(gitEnv(), "GIT_PROJECT_ROOT="+s.site.root, "GIT_HTTP_EXPORT_ALL=1",
			"GIT_PROTOCOL="+r.Header.Get("Git-Protocol")),
	}
	answer := &captured{header: http.Header{}, status: http.StatusOK}
	backend.ServeHTTP(answer, request)
	if bytes.Contains(answer.body.Bytes(), packSection) {
		s.mu.Lock()
		s.stats.Packs[repo.FullName()]++
		s.mu.Unlock()
	}
	for name, values := range answer.header {
		w.Header()[name] = values
	}
	s.send(w, answer.status, answer.body.Bytes(), f)
}

// captured is an answer kept in memory, so that a fault can damage it.
type captured struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *captured) Header() http.Header         { return c.header }
func (c *captured) WriteHeader(status int)      { c.status = status }
func (c *captured) Write(p []byte) (int, error) { return c.body.Write(p) }
