package evaluation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// One row for each way in which models answer; the cases that the published
// harness misreads are D3 and D26 of the facts about it.
func TestReadReview(t *testing.T) {
	one := `[{"body":"off by one","file":"a.go","line":3,"severity":"p1"}]`
	for name, tc := range map[string]struct {
		answer, outcome, code string
		bodies                []string
	}{
		"array":                    {one, ReadReview, "", []string{"off by one"}},
		"byte order mark":          {"\ufeff" + one, ReadReview, "", []string{"off by one"}},
		"fenced":                   {"```json\n" + one + "\n```", ReadReview, "", []string{"off by one"}},
		"fenced after prose":       {"Here you are:\n```\n" + one + "\n```\nDone.", ReadReview, "", []string{"off by one"}},
		"object":                   {`{"comments":` + one + `}`, ReadReview, "", []string{"off by one"}},
		"object in prose":          {`I found: {"comments":` + one + `} as asked`, ReadReview, "", []string{"off by one"}},
		"empty array":              {" [] ", ReadNothing, "", nil},
		"fenced empty array":       {"```json\n[]\n```", ReadNothing, "", nil},
		"object without comments":  {`{"comments":[]}`, ReadNothing, "", nil},
		"a citation after it":      {one + "\nsee [1] and [2]", ReadReview, "", []string{"off by one"}},
		"the largest of two":       {`[{"body":"draft"}] final: [{"body":"a"},{"body":"b"}]`, ReadReview, "", []string{"a", "b"}},
		"brackets in prose":        {"I would look at items[0] and say nothing [sic] []", ReadUnusable, "no_review_found", nil},
		"prose":                    {"Looks good to me!", ReadUnusable, "no_review_found", nil},
		"null":                     {"null", ReadUnusable, "no_review_found", nil},
		"number":                   {"7", ReadUnusable, "no_review_found", nil},
		"array of numbers":         {"[1,2]", ReadUnusable, "no_review_found", nil},
		"cut":                      {`[{"body":"a","file":"x"},{"body":"b`, ReadUnusable, "no_review_found", nil},
		"empty":                    {" \n", ReadUnusable, "empty_answer", nil},
		"empty bodies":             {`[{"body":" "},{"body":"a"},{"file":"x"},7,{"body":3}]`, ReadReview, "", []string{"a"}},
		"nothing but empty bodies": {`[{"body":""}]`, ReadNothing, "", nil},
	} {
		got := readReview(tc.answer)
		var bodies []string
		for _, c := range got.Comments {
			bodies = append(bodies, c.Body)
		}
		if got.Outcome != tc.outcome || got.Code != tc.code || !cmp.Equal(bodies, tc.bodies) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestReadItem(t *testing.T) {
	for item, want := range map[string]Comment{
		`{"body":" a ","file":" x.go ","line":"12","severity":" p0 "}`: {Body: "a", File: "x.go", Line: line(12), Severity: "P0"},
		`{"body":"a","file":null,"line":null,"severity":"high"}`:       {Body: "a"},
		`{"body":"a","file":7,"line":3.0}`:                             {Body: "a", Line: line(3)},
		`{"body":"a","line":3.5}`:                                      {Body: "a"},
		`{"body":"a","line":-1}`:                                       {Body: "a"},
		`{"body":"a","line":1e99}`:                                     {Body: "a"},
		`{"body":"a","line":"NaN"}`:                                    {Body: "a"},
		`{"body":"a","line":[1]}`:                                      {Body: "a"},
	} {
		got, code := readItem([]byte(item))
		if d := cmp.Diff(want, got); d != "" || code != "" {
			t.Errorf("%s: %s %s", item, code, d)
		}
	}
}

func line(n int) *int { return &n }

// No answer is read past its limits; one that took long would end the test.
func TestHostileAnswers(t *testing.T) {
	long := strings.Repeat("x", 10<<20)
	for name, tc := range map[string]struct {
		answer, outcome string
		comments        int
	}{
		"10 MB":               {`[{"body":"` + long + `"}]`, ReadUnusable, 0},
		"deep":                {strings.Repeat("[", 1<<20), ReadUnusable, 0},
		"deep objects":        {strings.Repeat(`[{"a":`, 1<<17), ReadUnusable, 0},
		"many starts":         {strings.Repeat(`["`, 1<<19), ReadUnusable, 0},
		"many fences":         {strings.Repeat("```\n[\n", 1<<17), ReadUnusable, 0},
		"more than the limit": {"[" + strings.Repeat(`{"body":"a"},`, maxComments+5) + `{"body":"a"}]`, ReadReview, maxComments},
	} {
		got := readReview(tc.answer)
		if got.Outcome != tc.outcome || len(got.Comments) != tc.comments {
			t.Errorf("%s: %s with %d comments", name, got.Outcome, len(got.Comments))
		}
	}
	if got := readReview(fmt.Sprintf(`[{"body":%q}]`, strings.Repeat("é", maxBody))); len(got.Comments[0].Body) > maxBody || got.Dropped["body_cut"] != 1 {
		t.Errorf("a long body: %d bytes, %v", len(got.Comments[0].Body), got.Dropped)
	}
}

func FuzzReadReview(f *testing.F) {
	f.Add(`[{"body":"a","line":3}]`)
	f.Add("```json\n[]\n```")
	f.Fuzz(func(t *testing.T, answer string) {
		r := readReview(answer)
		if (r.Outcome == ReadReview) != (len(r.Comments) > 0) || (r.Outcome == ReadUnusable) != (r.Code != "") {
			t.Errorf("%+v", r)
		}
	})
}
