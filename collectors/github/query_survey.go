package github

import (
	"fmt"
	"reflect"

	"github.com/prforge/prforge/internal/model"
	"github.com/shurcooL/githubv4"
)

// scan is a repository on its way through a survey.
type scan struct {
	want     Want
	ref      model.RepoRef // the name to ask by
	repo     *model.Repository
	pass     *censusPass // nil where no census is asked for
	per      int         // pull requests a page
	troubles int
	err      error
	done     bool
}

// pullRequestsField is the census's connection; %d is the repository's index in the request.
const pullRequestsField = `pullRequests(first:$per,after:$a%d,states:[MERGED,CLOSED],orderBy:{field:UPDATED_AT,direction:DESC})`

// surveyQuery asks for several repositories at once: the facts of each as rN and a page of its census as pN. Their
// number varies, so the type is built at run time.
type surveyQuery struct {
	value reflect.Value // pointer to the struct that githubv4 fills
	vars  map[string]any
}

// newSurveyQuery builds the query for a list of surveyed repositories, per pull
// requests each.
func newSurveyQuery(list []*scan, per int) surveyQuery {
	fields := []reflect.StructField{{Name: "RateLimit", Type: reflect.TypeFor[charged]()}}
	vars := map[string]any{}
	for i, s := range list {
		vars[fmt.Sprintf("o%d", i)] = githubv4.String(s.ref.Owner)
		vars[fmt.Sprintf("n%d", i)] = githubv4.String(s.ref.Name)
		where := fmt.Sprintf("repository(owner:$o%d,name:$n%d,followRenames:true)", i, i)
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("R%d", i), Type: reflect.TypeFor[*repositoryNode](),
			Tag: reflect.StructTag(fmt.Sprintf(`graphql:"r%d: %s"`, i, where)),
		})
		if s.pass == nil {
			continue
		}
		vars["per"] = githubv4.Int(per)
		vars[fmt.Sprintf("a%d", i)] = s.pass.after()
		census := reflect.StructOf([]reflect.StructField{{
			Name: "PullRequests", Type: reflect.TypeFor[censusPage](),
			Tag: reflect.StructTag(`graphql:"` + fmt.Sprintf(pullRequestsField, i) + `"`),
		}})
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("P%d", i), Type: reflect.PointerTo(census),
			Tag: reflect.StructTag(fmt.Sprintf(`graphql:"p%d: %s"`, i, where)),
		})
	}
	return surveyQuery{value: reflect.New(reflect.StructOf(fields)), vars: vars}
}

// repository returns the facts of the repository at index i; nil if GitHub gave none.
func (q surveyQuery) repository(i int) *repositoryNode {
	return q.value.Elem().FieldByName(fmt.Sprintf("R%d", i)).Interface().(*repositoryNode)
}

// census returns the page of the repository at index i; nil if GitHub gave none.
func (q surveyQuery) census(i int) *censusPage {
	p := q.value.Elem().FieldByName(fmt.Sprintf("P%d", i))
	if !p.IsValid() || p.IsNil() {
		return nil
	}
	got := p.Elem().Field(0).Interface().(censusPage)
	return &got
}
