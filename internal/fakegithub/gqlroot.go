package fakegithub

import (
	"fmt"
	"strings"
)

// rootTypes are the entry points and the small types that belong nowhere else.
func rootTypes() map[string]fields {
	return map[string]fields{
		"Query": {
			"viewer":     object("User", func(c *call, _ any) any { return &actor{login: "prforge-demo", kind: "User", id: 1} }),
			"rateLimit":  object("RateLimit", func(c *call, _ any) any { return c.query.limit(c.query.size.cost()) }, "dryRun"),
			"repository": {typ: "Repository", args: []string{"owner", "name", "followRenames"}, get: (*call).repository},
			"node": {typ: "Node", args: []string{"id"}, get: func(c *call) (any, error) {
				return c.query.site.node(c.text("id"))
			}},
			"nodes": {typ: "Node", list: true, args: []string{"ids"}, get: (*call).nodes},
			"search": {typ: "SearchResultItemConnection", args: append([]string{"query", "type"}, pageArgs...),
				get: (*call).search},
		},
		"RateLimit": keyed("cost", "limit", "remaining", "used", "resetAt", "nodeCount"),
		"PageInfo":  keyed("hasNextPage", "hasPreviousPage", "startCursor", "endCursor"),
		"Node": {
			"id": {get: func(c *call) (any, error) { return nodeID(c.obj), nil }},
		},
		"SearchResultItem": {},
	}
}

// repository finds a repository the way GitHub does: private, deleted and
// missing ones are all NOT_FOUND.
func (c *call) repository() (any, error) {
	owner, name := c.text("owner"), c.text("name")
	r := c.query.site.repo(owner, name)
	renamed := r != nil && !strings.EqualFold(r.FullName(), owner+"/"+name)
	if follow, given := c.args["followRenames"].(bool); renamed && given && !follow {
		r = nil
	}
	if r == nil || r.Access == Hidden {
		return nil,
			&apiError{"NOT_FOUND", fmt.Sprintf("Could not resolve to a Repository with the name '%s/%s'.", owner, name)}
	}
	if r.blocked() {
		return nil, &apiError{"FORBIDDEN", "Repository access blocked"}
	}
	return r, nil
}

func (s *site) node(id string) (any, error) {
	x, ok := s.nodes[id]
	if ok && repoOf(x).readable() {
		return x, nil
	}
	return nil, &apiError{"NOT_FOUND", fmt.Sprintf("Could not resolve to a node with the global id of '%s'", id)}
}

func (c *call) nodes() (any, error) {
	ids := c.texts("ids")
	if len(ids) > pageLimit {
		return nil,
			&apiError{"ARGUMENT_LIMIT", fmt.Sprintf("You may not provide more than %d node ids; you provided %d.", pageLimit,
				len(ids))}
	}
	out := make([]any, len(ids))
	for i, id := range ids {
		x, err := c.query.site.node(id)
		if err != nil {
			x = err
		}
		out[i] = x
	}
	return out, nil
}

// repoOf is the repository that an object belongs to.
func repoOf(x any) *repoState {
	switch x := x.(type) {
	case *repoState:
		return x
	case *pullState:
		return x.repo
	case *reviewState:
		return x.pull.repo
	case *threadState:
		return x.pull.repo
	case *commentState:
		return x.thread.pull.repo
	case *issueComment:
		return x.pull.repo
	}
	panic(fmt.Sprintf("fakegithub: no repository for %T", x)) // a bug of index
}
