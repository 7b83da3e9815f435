package artifactstest

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
)

// schemaOf maps the pattern of a file to its schema in each benchmark; "" is a file of another format, which has
// none.
var schemaOf = []struct {
	of              artifacts.Benchmark // "" is any
	pattern, schema string
}{
	{"", "manifest.json", "manifest"},
	{"", "schemas/*.json", ""},
	{"", "croissant.json", ""},
	{"", "audit/decisions.jsonl", "decision"},
	{"", "audit/rejections.jsonl", "rejection"},
	{"", "audit/repositories.jsonl", "repository"},
	{"", "audit/funnel.json", "funnel"},
	{"", "audit/tombstones.jsonl", "tombstone"},
	{artifacts.Review, "prs.jsonl", "record"},
	{artifacts.Review, "annotations/*.json", "annotation"},
	{artifacts.Review, "contexts/*/*.json", "context"},
	{artifacts.Review, "evidence/*.json", "evidence"},
	{artifacts.Review, "evals/validated.json", "validated"},
	{artifacts.Review, "evals/short.jsonl", "short_comment"},
	{artifacts.Review, "evals/*.json", "split"},
	{artifacts.Escaped, "escaped/questions.jsonl", "escaped_question"},
	{artifacts.Escaped, "escaped/answers.jsonl", "escaped_answer"},
	{artifacts.Bugs, "bugs/questions.jsonl", "bug_question"},
	{artifacts.Bugs, "bugs/answers.jsonl", "bug_answer"},
	{artifacts.Bugs, "bugs/evidence/*.json", "bug_evidence"},
	{artifacts.Bugs, "bugs/options.json", ""},
	{artifacts.Bugs, "evals/levels.json", "bug_split"},
	{artifacts.Debugging, "questions.jsonl", "script_question"},
	{artifacts.Debugging, "answers.jsonl", "script_answer"},
	{artifacts.Debugging, "evals/scripts.json", "script_split"},
	{artifacts.Debugging, "evidence/*.json", "script_evidence"},
	{artifacts.Debugging, "prompts/*.json", "script_prompt"},
	{artifacts.Debugging, "export/dsdbench/*.jsonl", ""},
	{"", "snapshots/index.jsonl", "snapshot"},
	{artifacts.Controls, "evals/hunks.jsonl", "control_hunk"},
	{artifacts.Controls, "evals/pulls.jsonl", "control_pull"},
	{artifacts.Controls, "evals/*.jsonl", "control_comment"},
}

// FollowsSchemas checks every JSON file of a dataset against the schemas in the dataset's own folder, as a reader
// without prforge would.
func FollowsSchemas(dir string) error {
	m, err := load.ReadManifest(dir)
	if err != nil {
		return err
	}
	files := slices.DeleteFunc(slices.Collect(maps.Keys(m.Files)), func(file string) bool {
		return path.Ext(file) != ".json" && path.Ext(file) != ".jsonl" || strings.HasPrefix(file, "data/")
	})
	if len(files) == 0 {
		return fmt.Errorf("%s holds no JSON", dir)
	}
	for _, file := range append(files, artifacts.FileManifest) {
		name, err := schemaName(m.Benchmark, file)
		if err != nil {
			return err
		}
		if name == "" {
			continue
		}
		schema, err := jsonschema.NewCompiler().Compile(filepath.Join(dir, "schemas", name+".json"))
		if err == nil {
			err = follows(filepath.Join(dir, filepath.FromSlash(file)), schema)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

func schemaName(b artifacts.Benchmark, file string) (string, error) {
	for _, s := range schemaOf {
		if ok, _ := path.Match(s.pattern, file); ok && (s.of == "" || s.of == b) {
			return s.schema, nil
		}
	}
	return "", fmt.Errorf("%s: no schema is known for it", file)
}

func follows(file string, schema *jsonschema.Schema) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	values := [][]byte{data}
	if strings.HasSuffix(file, ".jsonl") {
		values = slices.Collect(bytes.Lines(data))
	}
	for i, v := range values {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(v))
		if err == nil {
			err = schema.Validate(doc)
		}
		if err != nil {
			return fmt.Errorf("value %d: %w", i+1, err)
		}
	}
	return nil
}
