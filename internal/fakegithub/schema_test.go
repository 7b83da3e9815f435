package fakegithub

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/prforge/prforge/collectors/github"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/testenv"
)

// published is GitHub's schema as npm ships it; "npm ci" in the folder schema
// brings it. Two fields of one type are defined twice in it, which gqlparser
// rightly refuses: the second definitions are left out.
func published(t *testing.T) *ast.Schema {
	t.Helper()
	const file = "schema/node_modules/@octokit/graphql-schema/schema.graphql"
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		testenv.Missing(t, "GitHub's published schema is not here: run npm ci --prefix internal/fakegithub/schema")
	}
	if err != nil {
		t.Fatal(err)
	}
	doc, err := parser.ParseSchemas(validator.Prelude, &ast.Source{Name: file, Input: string(data)})
	if err != nil {
		t.Fatal(err)
	}
	twice := 0
	for _, d := range doc.Definitions {
		seen := map[string]bool{}
		d.Fields = slices.DeleteFunc(d.Fields, func(f *ast.FieldDefinition) bool {
			if !seen[f.Name] {
				seen[f.Name] = true
				return false
			}
			if d.Name != "EnterpriseOwnerInfo" {
				t.Errorf("the published schema defines %s.%s twice", d.Name, f.Name)
			}
			twice++
			return true
		})
	}
	if twice != 2 {
		t.Errorf("%d fields are defined twice in the published schema, 2 are known", twice)
	}
	schema, err := validator.ValidateSchemaDocument(doc)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// collectAll makes the collector send every query that it has: with pages of
// the usual sizes, and with pages so small that every list is continued.
func collectAll(t *testing.T, s *Server, o github.Options) {
	t.Helper()
	api := ghapi.DefaultOptions()
	api.APIURL, api.GraphQLURL, api.Tokens = s.URL(), s.GraphQLURL(), ghapi.StaticToken("any")
	client, err := ghapi.New(api)
	if err != nil {
		t.Fatal(err)
	}
	c, ctx := github.New(client, o, nil), context.Background()
	var wants []github.Want
	for _, r := range s.site.repos {
		wants = append(wants, github.Want{Ref: model.RepoRef{Owner: r.Owner, Name: r.Name}, Since: time.Unix(0, 0)})
	}
	var asks []github.PullAsk
	var ids []string
	for got, err := range c.Survey(ctx, wants) {
		if err != nil || got.Err != nil {
			t.Fatal(err, got.Err)
		}
		ids = append(ids, got.Repository.NodeID)
		for _, p := range got.Census.Pulls {
			asks = append(asks, github.PullAsk{Ref: model.PullRef{Repo: got.Repository.Ref, Number: p.Number}, NodeID: p.NodeID})
		}
	}
	for p, err := range c.Pulls(ctx, asks) {
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Incomplete) > 0 {
			t.Errorf("%s lacks %v", p.Ref, p.Incomplete)
		}
	}
	if _, err := c.Changed(ctx, ids); err != nil {
		t.Fatal(err)
	}
}

func TestOurQueriesAreValidForGitHub(t *testing.T) {
	schema := published(t)
	world, err := demoWorld()
	if err != nil {
		t.Fatal(err)
	}
	s := ForTest(t, world, Options{})
	collectAll(t, s, github.DefaultOptions())
	small := github.DefaultOptions()
	small.Repositories, small.Census, small.Pulls, small.Threads, small.Items = 2, 2, 7, 7, 1
	collectAll(t, s, small)
	all := ""
	for _, q := range s.Queries() {
		all += q.Text
		doc, err := parser.ParseQuery(&ast.Source{Input: q.Text})
		if err != nil {
			t.Errorf("%v in %s", err, q.Text)
			continue
		}
		for _, err := range validator.ValidateWithRules(schema, doc, rules.NewDefaultRules()) {
			t.Errorf("%v in %s", err, q.Text)
		}
	}
	for _, part := range []string{"pullRequests(", "nodes(ids:", "reviewThreads(", "timelineItems(", "n0: node(", "direction:DESC"} {
		if !strings.Contains(all, part) {
			t.Errorf("no query with %q was sent: the collector was not made to ask everything", part)
		}
	}
	t.Logf("%d documents", len(s.Queries()))
}

// The validation must be able to fail.
func TestAWrongQueryIsInvalid(t *testing.T) {
	doc, err := parser.ParseQuery(&ast.Source{Input: `{ repository(owner: "a", name: "b") { pullRequest(number: 1) { side } } }`})
	if err != nil {
		t.Fatal(err)
	}
	if len(validator.ValidateWithRules(published(t), doc, rules.NewDefaultRules())) == 0 {
		t.Error("a pull request has no side")
	}
}

// The fake must not know more than GitHub: each of its fields exists, with
// the same kind of value and at least its arguments.
func TestTheFakeKnowsNothingThatGitHubDoesNot(t *testing.T) {
	github := published(t)
	for name, fields := range schema {
		def := github.Types[name]
		if def == nil {
			t.Errorf("GitHub has no type %s", name)
			continue
		}
		for field, ours := range fields {
			theirs := def.Fields.ForName(field)
			if theirs == nil {
				t.Errorf("GitHub has no field %s.%s", name, field)
				continue
			}
			inner := github.Types[theirs.Type.Name()]
			if leaf := inner.Kind == ast.Scalar || inner.Kind == ast.Enum; leaf != (ours.typ == "") || !leaf && inner.Name != ours.typ {
				t.Errorf("%s.%s is %s, not %q", name, field, theirs.Type, ours.typ)
			}
			if (theirs.Type.Elem != nil) != ours.list {
				t.Errorf("%s.%s is %s: list %v", name, field, theirs.Type, ours.list)
			}
			for _, arg := range ours.args {
				if theirs.Arguments.ForName(arg) == nil {
					t.Errorf("%s.%s takes no %s", name, field, arg)
				}
			}
		}
	}
	for name, members := range possible {
		for _, member := range members {
			if !slices.ContainsFunc(github.GetPossibleTypes(github.Types[name]), func(d *ast.Definition) bool { return d.Name == member }) {
				t.Errorf("%s is no %s", member, name)
			}
		}
	}
}
