// Package schema ships the JSON Schemas (draft 2020-12) of a dataset's files.
//
// The folder vN holds version N. A version that a release has shipped never
// changes: its SHA256SUMS lists its files, and a test compares them. Whoever
// changes a format after that copies the folder to the next number and raises
// Version; until the release, the newest version has no SHA256SUMS.
package schema

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Version is the version of the schemas that prforge writes, schema_version of
// a manifest.
const Version = 1

// Name is one of the schemas, the file vN/NAME.json.
type Name string

// The schemas: one for every kind of JSON value in a dataset.
const (
	Record     Name = "record"
	Annotation Name = "annotation"
	Context    Name = "context"
	Evidence   Name = "evidence"
	Decision   Name = "decision"
	Rejection  Name = "rejection"
	Repository Name = "repository"
	Funnel     Name = "funnel"
	Tombstone  Name = "tombstone"
	Split      Name = "split"
	Validated  Name = "validated"
	// ShortComment is a line of evals/short.jsonl.
	ShortComment Name = "short_comment"
	Manifest     Name = "manifest"

	BugQuestion Name = "bug_question"
	BugAnswer   Name = "bug_answer"
	BugEvidence Name = "bug_evidence"
	BugSplit    Name = "bug_split"

	ScriptQuestion Name = "script_question"
	ScriptAnswer   Name = "script_answer"
	ScriptEvidence Name = "script_evidence"
	ScriptPrompt   Name = "script_prompt"
	ScriptSplit    Name = "script_split"

	EscapedQuestion Name = "escaped_question"
	EscapedAnswer   Name = "escaped_answer"

	ControlComment Name = "control_comment"
	ControlHunk    Name = "control_hunk"
	ControlPull    Name = "control_pull"

	Snapshot Name = "snapshot"
)

// Names lists all schemas.
func Names() []Name {
	return []Name{
		Record, Annotation, Context, Evidence, Decision, Rejection, Repository, Funnel, Tombstone, Split, Validated,
		ShortComment, Manifest,
		BugQuestion, BugAnswer, BugEvidence, BugSplit, ScriptQuestion, ScriptAnswer, ScriptEvidence, ScriptPrompt,
		ScriptSplit,
		EscapedQuestion, EscapedAnswer, ControlComment, ControlHunk, ControlPull, Snapshot,
	}
}

//go:embed v*/*.json
var files embed.FS

// Text is the schema's own JSON, of the newest version.
func Text(n Name) ([]byte, error) { return files.ReadFile(fmt.Sprintf("v%d/%s.json", Version, n)) }

// compiled holds every schema, compiled once. An error is a bug of this package.
var compiled = sync.OnceValues(func() (map[Name]*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	all := map[Name]*jsonschema.Schema{}
	for _, n := range Names() {
		text, err := Text(n)
		if err != nil {
			return nil, err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", n, err)
		}
		url := "prforge:" + string(n)
		if err := c.AddResource(url, doc); err != nil {
			return nil, fmt.Errorf("schema %s: %w", n, err)
		}
		if all[n], err = c.Compile(url); err != nil {
			return nil, fmt.Errorf("schema %s: %w", n, err)
		}
	}
	return all, nil
})

// Check checks one JSON value against a schema. The error names the first position
// that is wrong and why, never the value itself. It is safe for concurrent use.
func Check(n Name, value []byte) error {
	schemas, err := compiled()
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	err = schemas[n].Validate(doc)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	for len(invalid.Causes) > 0 {
		invalid = invalid.Causes[0]
	}
	return fmt.Errorf("/%s: %s", strings.Join(invalid.InstanceLocation, "/"), explain(invalid.ErrorKind))
}

// explain names the fault without repeating a value, which may be anything.
func explain(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Required:
		return "lacks " + strings.Join(k.Missing, ", ")
	case *kind.AdditionalProperties:
		return fmt.Sprintf("has %d fields too many", len(k.Properties))
	case *kind.Type:
		return "is " + k.Got + " instead of " + strings.Join(k.Want, " or ")
	case *kind.Pattern:
		return "does not match " + k.Want
	}
	return "breaks " + strings.Join(k.KeywordPath(), "/")
}
