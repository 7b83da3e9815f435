package artifacts_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/artifacts/snapshot"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// node is as much of a JSON Schema as ours use.
type node struct {
	Type       any              `json:"type"`
	Properties map[string]*node `json:"properties"`
	Required   []string         `json:"required"`
	Items      *node            `json:"items"`
	Ref        string           `json:"$ref"`
	Defs       map[string]*node `json:"$defs"`
}

// TestSchemasFollowTypes keeps each schema in step with its Go type: the same
// fields, required unless omitempty or omitzero, nullable exactly where the type is a
// pointer.
func TestSchemasFollowTypes(t *testing.T) {
	types := map[schema.Name]reflect.Type{
		schema.Record: reflect.TypeFor[artifacts.Record](), schema.Annotation: reflect.TypeFor[artifacts.Annotation](),
		schema.Context: reflect.TypeFor[artifacts.Context](), schema.Evidence: reflect.TypeFor[artifacts.Evidence](),
		schema.Decision: reflect.TypeFor[artifacts.Decision](), schema.Rejection: reflect.TypeFor[artifacts.Rejection](),
		schema.Repository: reflect.TypeFor[artifacts.RepositoryAudit](), schema.Funnel: reflect.TypeFor[verdict.Funnel](),
		schema.Tombstone: reflect.TypeFor[model.Tombstone](), schema.Split: reflect.TypeFor[model.Split](), schema.Validated: reflect.TypeFor[artifacts.Validated](), schema.ShortComment: reflect.TypeFor[artifacts.ShortComment](),
		schema.Manifest:    reflect.TypeFor[artifacts.Manifest](),
		schema.BugQuestion: reflect.TypeFor[model.BugQuestion](), schema.BugAnswer: reflect.TypeFor[model.BugAnswer](),
		schema.BugEvidence: reflect.TypeFor[model.BugEvidence](), schema.BugSplit: reflect.TypeFor[model.Split](),
		schema.ScriptQuestion: reflect.TypeFor[debugging.Question](), schema.ScriptAnswer: reflect.TypeFor[debugging.Answer](), schema.ScriptSplit: reflect.TypeFor[model.Split](), schema.ScriptEvidence: reflect.TypeFor[debugging.Evidence](),
		schema.ScriptPrompt: reflect.TypeFor[debugging.Prompt](), schema.ControlComment: reflect.TypeFor[artifacts.ControlComment](),
		schema.EscapedQuestion: reflect.TypeFor[model.EscapedQuestion](), schema.EscapedAnswer: reflect.TypeFor[model.EscapedAnswer](),
		schema.ControlHunk: reflect.TypeFor[artifacts.ControlHunk](), schema.ControlPull: reflect.TypeFor[artifacts.ControlPull](),
		schema.Snapshot: reflect.TypeFor[snapshot.Stat](),
	}
	for _, name := range schema.Names() {
		text, err := schema.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		root := &node{}
		if err := json.Unmarshal(text, root); err != nil {
			t.Fatal(err)
		}
		if types[name] == nil {
			t.Errorf("%s: no Go type is named here for the schema", name)
			continue
		}
		compare(t, root, root, types[name], string(name))
	}
}

func compare(t *testing.T, root, n *node, typ reflect.Type, at string) {
	t.Helper()
	if n.Ref != "" {
		n = root.Defs[strings.TrimPrefix(n.Ref, "#/$defs/")]
	}
	if n == nil {
		t.Errorf("%s: the schema says nothing", at)
		return
	}
	if typ.Implements(reflect.TypeFor[json.Marshaler]()) {
		return // its form is its own
	}
	want := []string{}
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
		want = append(want, "null")
	}
	want = append([]string{jsonType(typ)}, want...)
	got := strings.Fields(strings.Trim(fmt.Sprint(n.Type), "[]"))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: types (-Go +schema):\n%s", at, diff)
	}
	switch {
	case typ.Kind() == reflect.Slice:
		compare(t, root, n.Items, typ.Elem(), at+"[]")
	case typ.Kind() == reflect.Struct:
		fields, required := jsonFields(typ)
		if diff := cmp.Diff(slices.Sorted(maps.Keys(fields)), slices.Sorted(maps.Keys(n.Properties))); diff != "" {
			t.Errorf("%s: fields (-Go +schema):\n%s", at, diff)
			return
		}
		if diff := cmp.Diff(required, slices.Sorted(slices.Values(n.Required))); diff != "" {
			t.Errorf("%s: required (-Go +schema):\n%s", at, diff)
		}
		for name, f := range fields {
			compare(t, root, n.Properties[name], f, at+"."+name)
		}
	}
}

func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "array"
	case reflect.Struct, reflect.Map:
		return "object"
	}
	return "integer"
}

func jsonFields(t reflect.Type) (fields map[string]reflect.Type, required []string) {
	fields, required = map[string]reflect.Type{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			inner, more := jsonFields(f.Type)
			maps.Copy(fields, inner)
			required = append(required, more...)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[name] = f.Type
		if options != "omitempty" && options != "omitzero" {
			required = append(required, name)
		}
	}
	slices.Sort(required)
	return fields, required
}
