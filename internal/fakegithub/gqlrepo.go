package fakegithub

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// branchRef is a branch.
type branchRef struct {
	repo *repoState
	name string
}

// repositoryTypes are the repository, its branches and its labels.
func repositoryTypes() map[string]fields {
	out := accounts()
	out["Repository"] = fields{
		"id":            scalar(func(r *repoState) any { return nodeID(r) }),
		"databaseId":    scalar(func(r *repoState) any { return r.ID }),
		"name":          scalar(func(r *repoState) any { return r.Name }),
		"nameWithOwner": scalar(func(r *repoState) any { return r.FullName() }),
		"owner": object("RepositoryOwner", func(_ *call, r *repoState) any {
			return &actor{login: r.Owner, kind: "Organization", id: r.ID + 900_000}
		}),
		"description":    scalar(func(r *repoState) any { return orNil(r.Description) }),
		"url":            scalar(func(r *repoState) any { return "https://github.com/" + r.FullName() }),
		"stargazerCount": scalar(func(r *repoState) any { return r.Stars }), "forkCount": fixed(0),
		"isArchived": scalar(func(r *repoState) any { return r.IsArchived }),
		"isFork":     scalar(func(r *repoState) any { return r.IsFork }),
		"isEmpty":    scalar(func(r *repoState) any { return r.IsEmpty }),
		"isPrivate":  scalar(func(r *repoState) any { return r.Access == Visible }),
		"isDisabled": fixed(false), "isLocked": fixed(false), "isMirror": fixed(false), "isTemplate": fixed(false),
		"visibility": scalar(func(r *repoState) any {
			if r.Access == Visible {
				return "PRIVATE"
			}
			return "PUBLIC"
		}),
		"createdAt": scalar(func(r *repoState) any { return stamp(r.CreatedAt) }),
		"pushedAt":  scalar(func(r *repoState) any { return stamp(r.pushedAt()) }),
		"updatedAt": scalar(func(r *repoState) any { return stamp(r.pushedAt()) }),
		"diskUsage": fixed(256),
		"licenseInfo": object("License", func(_ *call, r *repoState) any {
			if r.License == "" {
				return nil
			}
			return map[string]any{"spdxId": r.License, "key": strings.ToLower(r.License), "name": r.License}
		}),
		"primaryLanguage": object("Language", func(_ *call, r *repoState) any {
			if r.Language == "" {
				return nil
			}
			return map[string]any{"name": r.Language}
		}),
		"defaultBranchRef": object("Ref", func(_ *call, r *repoState) any {
			if r.IsEmpty {
				return nil
			}
			return branchRef{r, r.DefaultBranch}
		}),
		"ref": object("Ref", func(c *call, r *repoState) any {
			name := strings.TrimPrefix(c.text("qualifiedName"), "refs/heads/")
			if r.history.refs["refs/heads/"+name] == nil {
				return nil
			}
			return branchRef{r, name}
		}, "qualifiedName"),
		"object": object("GitObject", func(c *call, r *repoState) any {
			return r.object(cmp.Or(c.text("oid"), c.text("expression")))
		}, "oid", "expression"),
		"pullRequest": {typ: "PullRequest", args: []string{"number"}, get: func(c *call) (any, error) {
			n, _ := number(c.args["number"])
			if p := c.obj.(*repoState).byNumber[n]; p != nil {
				return p, nil
			}
			return nil, &apiError{"NOT_FOUND", fmt.Sprintf("Could not resolve to a PullRequest with the number of %d.", n)}
		}},
		"pullRequests": connection("PullRequest", func(c *call, r *repoState) []any { return anyList(r.listPulls(c)) },
			"states", "orderBy", "baseRefName", "headRefName", "labels"),
	}
	out["License"] = keyed("spdxId", "key", "name")
	out["Language"] = keyed("name")
	out["Issue"] = keyed("number", "title", "body")
	out["Issue"]["repository"] = object("Repository", func(*call, any) any { return nil })
	out["Label"] = keyed("id", "name", "color", "description")
	out["Ref"] = fields{
		"id":     scalar(func(b branchRef) any { return "REF_" + b.repo.FullName() + "_" + b.name }),
		"name":   scalar(func(b branchRef) any { return b.name }),
		"prefix": fixed("refs/heads/"),
		"target": object("GitObject", func(_ *call, b branchRef) any {
			return commitRef{b.repo, b.repo.history.refs["refs/heads/"+b.name]}
		}),
	}
	return out
}

// pushedAt is the time of the last commit.
func (r *repoState) pushedAt() (last time.Time) {
	for _, c := range r.history.commits {
		if c.date.After(last) {
			last = c.date
		}
	}
	return last
}

// listPulls lists pull requests by the arguments of the field pullRequests.
func (r *repoState) listPulls(c *call) []*pullState {
	states, base, head, labels := c.texts("states"), c.text("baseRefName"), c.text("headRefName"), c.texts("labels")
	var out []*pullState
	for _, p := range r.pulls {
		hasLabel := slices.ContainsFunc(p.Labels, func(l string) bool { return slices.Contains(labels, l) })
		if states != nil && !slices.Contains(states, p.state()) || base != "" && p.base(r.Repo) != base ||
			head != "" && p.headRef() != head || labels != nil && !hasLabel {
			continue
		}
		out = append(out, p)
	}
	order, _ := c.args["orderBy"].(map[string]any)
	slices.SortStableFunc(out, func(a, b *pullState) int {
		switch order["field"] {
		case "UPDATED_AT":
			return a.updated.Compare(b.updated)
		case "CREATED_AT":
			return a.CreatedAt.Compare(b.CreatedAt)
		}
		return a.Number - b.Number
	})
	if order["direction"] == "DESC" {
		slices.Reverse(out)
	}
	return out
}

// accounts are the types of actors; owners look alike.
func accounts() map[string]fields {
	account := fields{
		"login":        scalar(func(a *actor) any { return a.login }),
		"url":          scalar(func(a *actor) any { return "https://github.com/" + a.login }),
		"resourcePath": scalar(func(a *actor) any { return "/" + a.login }),
		"avatarUrl":    scalar(func(a *actor) any { return fmt.Sprintf("https://avatars.githubusercontent.com/u/%d", a.id) }),
	}
	owned := fields{
		"id":         scalar(func(a *actor) any { return nodeID(a) }),
		"databaseId": scalar(func(a *actor) any { return a.id }),
		"name":       scalar(func(a *actor) any { return a.login }),
	}
	for name, f := range account {
		owned[name] = f
	}
	out := map[string]fields{"Actor": account, "RepositoryOwner": fields{"id": owned["id"]}}
	for name, f := range account {
		out["RepositoryOwner"][name] = f
	}
	nameless := maps.Clone(owned)
	delete(nameless, "name")
	out["User"], out["Organization"] = owned, owned
	out["Bot"], out["Mannequin"] = nameless, nameless
	out["EnterpriseUserAccount"] = fields{"id": owned["id"], "login": owned["login"], "name": owned["name"]}
	return out
}
