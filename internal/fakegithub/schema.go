package fakegithub

import (
	"fmt"
	"slices"
	"strings"
)

// schema is every type that the fake answers for.
var schema = makeSchema()

func makeSchema() map[string]fields {
	s := map[string]fields{}
	for _, part := range []map[string]fields{rootTypes(), repositoryTypes(), pullTypes(), reviewTypes(), gitTypes()} {
		for name, f := range part {
			s[name] = f
		}
	}
	nodes := map[string]bool{}
	for _, f := range s {
		for _, field := range f {
			if node, ok := strings.CutSuffix(field.typ, "Connection"); ok {
				nodes[node] = true
			}
		}
	}
	for node := range nodes {
		s[node+"Connection"], s[node+"Edge"] = connectionFields(node), edgeFields(node)
	}
	return s
}

// possible lists the object types of each abstract type.
var possible = map[string][]string{
	"Actor":                    {"User", "Bot", "Mannequin", "Organization", "EnterpriseUserAccount"},
	"RepositoryOwner":          {"User", "Organization"},
	"GitObject":                {"Commit", "Tree", "Blob"},
	"SearchResultItem":         {"PullRequest", "Repository", "Issue"},
	"Reactor":                  {"User", "Bot", "Mannequin", "Organization"},
	"PullRequestTimelineItems": {"ReviewDismissedEvent", "HeadRefForcePushedEvent", "RenamedTitleEvent"},
	"Node": {
		"Repository", "PullRequest", "PullRequestReview", "PullRequestReviewThread", "PullRequestReviewComment",
		"IssueComment",
		"User", "Bot", "Mannequin", "Organization", "Commit", "Tree", "Blob", "ReviewDismissedEvent",
		"HeadRefForcePushedEvent", "Label",
	},
}

// lookup finds a field of an object or abstract type.
func lookup(typ, name string) (gfield, bool) {
	f, ok := schema[typ][name]
	return f, ok
}

func isType(name string) bool { return schema[name] != nil || possible[name] != nil }

// isA reports whether an object type fulfills a fragment's condition.
func isA(typ, condition string) bool {
	return condition == "" || condition == typ || slices.Contains(possible[condition], typ)
}

// overlap reports whether an object can be of both types.
func overlap(a, b string) bool {
	members := func(t string) []string {
		if p := possible[t]; p != nil {
			return p
		}
		return []string{t}
	}
	return slices.ContainsFunc(members(a), func(t string) bool { return slices.Contains(members(b), t) })
}

// typeOf is the GraphQL type of an object.
func typeOf(x any) string {
	switch x := x.(type) {
	case *repoState:
		return "Repository"
	case *pullState:
		return "PullRequest"
	case *reviewState:
		return "PullRequestReview"
	case *threadState:
		return "PullRequestReviewThread"
	case *commentState:
		return "PullRequestReviewComment"
	case *issueComment:
		return "IssueComment"
	case *dismissal:
		return "ReviewDismissedEvent"
	case *forcePush:
		return "HeadRefForcePushedEvent"
	case version:
		return "UserContentEdit"
	case reactions:
		return "ReactionGroup"
	case *actor:
		return x.kind
	case commitRef:
		return "Commit"
	case gitObject:
		return map[string]string{"blob": "Blob", "tree": "Tree"}[x.kind]
	}
	panic(fmt.Sprintf("fakegithub: no GraphQL type for %T", x)) // a bug of the tables
}
