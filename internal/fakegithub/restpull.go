package fakegithub

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// account is an actor in REST's form: apps have "[bot]" in their login here.
func (s *Server) account(login string) any {
	a := s.site.actor(login)
	if a == nil {
		return nil
	}
	name, kind := a.login, a.kind
	if kind == "Bot" {
		name += "[bot]"
	}
	return map[string]any{"login": name, "id": a.id, "node_id": nodeID(a), "type": kind,
		"html_url": "https://github.com/" + a.login}
}

func (s *Server) repoJSON(r *repoState) map[string]any {
	var license any
	if r.License != "" {
		license = map[string]string{"spdx_id": r.License, "key": strings.ToLower(r.License), "name": r.License}
	}
	visibility := "public"
	if r.Access == Visible {
		visibility = "private"
	}
	return map[string]any{
		"id": r.ID, "node_id": nodeID(r), "name": r.Name, "full_name": r.FullName(), "private": r.Access == Visible,
		"visibility": visibility,
		"owner":      map[string]any{"login": r.Owner, "type": "Organization"}, "description": orNil(r.Description),
		"fork":     r.IsFork,
		"archived": r.IsArchived, "disabled": false, "stargazers_count": r.Stars, "language": orNil(r.Language),
		"license":        license,
		"default_branch": r.DefaultBranch, "created_at": stamp(r.CreatedAt), "pushed_at": stamp(r.pushedAt()), "size": 256,
		"html_url": "https://github.com/" + r.FullName(), "clone_url": s.URL() + "/" + r.FullName() + ".git",
		"url": s.URL() + "/repos/" + r.FullName(),
	}
}

// pullEndpoint serves pulls, pulls/N and what is below it.
func (s *Server) pullEndpoint(r *http.Request, repo *repoState, p []string) reply {
	if len(p) == 0 {
		return s.listPullsREST(r, repo)
	}
	n, err := strconv.Atoi(p[0])
	pull := repo.byNumber[n]
	if err != nil || len(p) > 2 {
		return unknown()
	}
	if pull == nil {
		return notFound()
	}
	if len(p) == 1 {
		if mediaType(r, "diff") || mediaType(r, "patch") {
			if repo.Access == TakenDown {
				defer repo.taken.Store(true)
			}
			return s.diffReply(&parsedDiff{text: pull.diff, files: pull.files})
		}
		return okJSON(s.pullJSON(pull))
	}
	switch p[1] {
	case "files":
		return s.listed(r, restFiles(pull.files))
	case "commits":
		var out []any
		for _, c := range pull.history() {
			out = append(out, restCommit(c))
		}
		return s.listed(r, out)
	case "reviews":
		return s.listed(r, s.restReviews(pull))
	case "comments":
		return s.listed(r, s.restComments(pull))
	}
	return unknown()
}

func (s *Server) listPullsREST(r *http.Request, repo *repoState) reply {
	q := r.URL.Query()
	state := q.Get("state")
	var list []*pullState
	for _, p := range repo.pulls {
		open := p.Method == StillOpen
		if state == "all" || open == (state != "closed") {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *pullState) int {
		if q.Get("sort") == "updated" {
			return b.updated.Compare(a.updated)
		}
		return b.CreatedAt.Compare(a.CreatedAt)
	})
	if q.Get("direction") == "asc" {
		slices.Reverse(list)
	}
	var out []any
	for _, p := range list {
		out = append(out, s.pullJSON(p))
	}
	return s.listed(r, out)
}

func (s *Server) pullJSON(p *pullState) map[string]any {
	labels := []any{}
	for _, name := range p.Labels {
		labels = append(labels, map[string]string{"name": name, "color": "ededed"})
	}
	var mergedAt, mergedBy, mergeSHA, headRepo any
	if p.isMerged() {
		mergedAt, mergedBy, mergeSHA = stamp(p.ClosedAt), s.account(p.ClosedBy), p.merge.sha
	}
	if !p.CrossRepo {
		headRepo = s.repoJSON(p.repo)
	}
	state := "closed"
	if p.Method == StillOpen {
		state = "open"
	}
	return map[string]any{
		"id": p.id, "node_id": nodeID(p), "number": p.Number, "state": state, "title": p.Title, "body": orNil(p.Body),
		"draft": p.IsDraft,
		"user":  s.account(p.Author), "labels": labels, "created_at": stamp(p.CreatedAt), "updated_at": stamp(p.updated),
		"closed_at": stamp(p.ClosedAt),
		"merged_at": mergedAt, "merged": p.isMerged(), "merged_by": mergedBy, "merge_commit_sha": mergeSHA,
		"html_url":  p.url(),
		"url":       fmt.Sprintf("%s/repos/%s/pulls/%d", s.URL(), p.repo.FullName(), p.Number),
		"head":      map[string]any{"ref": p.headRef(), "sha": p.head().sha, "repo": headRepo},
		"base":      map[string]any{"ref": p.base(p.repo.Repo), "sha": p.baseTip.sha, "repo": s.repoJSON(p.repo)},
		"additions": p.additions(), "deletions": p.deletions(), "changed_files": len(p.files), "commits": len(p.live),
		"comments": len(p.comments), "review_comments": p.totalComments() - len(p.comments),
		"author_association": p.repo.association(p.Author),
	}
}

// restFiles is a list of changed files in REST's form; binary files have no patch.
func restFiles(files []changedFile) []any {
	out := []any{}
	for _, f := range files {
		status := strings.ToLower(f.status)
		if status == "deleted" {
			status = "removed"
		}
		entry := map[string]any{
			"filename": f.path, "status": status, "additions": f.additions, "deletions": f.deletions,
			"changes": f.additions + f.deletions,
		}
		if f.status == "RENAMED" {
			entry["previous_filename"] = f.oldPath
		}
		if f.patch != "" {
			entry["patch"] = f.patch
		}
		out = append(out, entry)
	}
	return out
}

func (s *Server) restReviews(p *pullState) []any {
	var out []any
	for _, v := range p.reviews {
		if v.state == "PENDING" {
			continue
		}
		out = append(out, map[string]any{
			"id": v.id, "node_id": nodeID(v), "user": s.account(v.author), "body": v.body, "state": v.state,
			"submitted_at": stamp(v.at), "commit_id": v.commit.sha, "author_association": p.repo.association(v.author),
		})
	}
	return out
}

func (s *Server) restComments(p *pullState) []any {
	var out []any
	for _, t := range p.visibleThreads() {
		for _, c := range t.comments {
			entry := map[string]any{
				"id": c.id, "node_id": nodeID(c), "pull_request_review_id": c.review.id, "user": s.account(c.author),
				"body": c.body,
				"path": t.path, "side": t.side, "line": t.line, "original_line": t.original, "start_line": t.start,
				"original_start_line": t.originalStart, "subject_type": strings.ToLower(t.subject), "diff_hunk": c.hunk,
				"commit_id": p.head().sha, "original_commit_id": c.written.sha, "created_at": stamp(c.at),
				"updated_at": stamp(editTime(c.at, c.edited)), "author_association": p.repo.association(c.author),
				"html_url": fmt.Sprintf("%s#discussion_r%d", p.url(), c.id),
			}
			if c.replyTo != nil {
				entry["in_reply_to_id"] = c.replyTo.id
			}
			out = append(out, entry)
		}
	}
	return out
}

func (s *Server) issueComments(r *http.Request, repo *repoState, key string) reply {
	n, err := strconv.Atoi(key)
	if err != nil || repo.byNumber[n] == nil {
		return notFound()
	}
	var out []any
	for _, c := range repo.byNumber[n].comments {
		out = append(out, map[string]any{
			"id": c.id, "node_id": nodeID(c), "user": s.account(c.author), "body": c.body, "created_at": stamp(c.at),
			"updated_at": stamp(editTime(c.at, c.edited)), "author_association": repo.association(c.author),
		})
	}
	return s.listed(r, out)
}
