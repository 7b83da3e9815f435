package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/testenv"
)

// A release to a bucket is the dataset, goes on where it was interrupted, and is refused
// where another one is.
func TestRelease_Bucket(t *testing.T) {
	folder, endpoint := testenv.Gateway(t)
	dir, err := made["demo"]()
	if err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "AWS_ENDPOINT_URL="+endpoint, "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=id", "AWS_SECRET_ACCESS_KEY=secretsecret")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	whole := filepath.Join(folder, "2026-04")
	for _, gone := range []string{"", "manifest.json", "prs.jsonl"} { // an interrupted one lacks the manifest
		if gone != "" {
			if err := os.Remove(filepath.Join(whole, gone)); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := run("prforge", "release", "out/demo", "--to", "s3://bench/2026-04"); err != nil || !strings.Contains(out, "to s3://bench/2026-04") {
			t.Fatalf("%v: %s", err, out)
		}
		if out, err := run("diff", "-r", "out/demo", whole); err != nil {
			t.Errorf("the bucket differs: %v\n%s", err, out)
		}
	}
	if out, err := run("prforge", "verify", whole); err != nil {
		t.Errorf("what the bucket has is no dataset: %v\n%s", err, out)
	}

	key := filepath.Join(t.TempDir(), "key")
	if out, err := run("prforge", "release", "out/demo", "--to", "s3://bench/2026-04", "--seal", key); err == nil || !strings.Contains(out, "README.md: another file is there") {
		t.Errorf("another release in its place: %v: %s", err, out)
	}
	if out, err := run("prforge", "release", "out/demo", "--to", "s3://bench/sealed", "--seal", key, "--run", "out/demo-eval", "--hub-id", "acme/demo"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	opened := filepath.Join(t.TempDir(), "answers")
	if out, err := run("prforge", "unseal", filepath.Join(folder, "sealed"), "--key", key, "-o", opened); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := run("diff", "-r", "out/demo/annotations", filepath.Join(opened, "annotations")); err != nil {
		t.Errorf("the opened answers differ: %v\n%s", err, out)
	}
	result, err := os.ReadFile(filepath.Join(folder, "sealed", "eval_results", "oracle.yaml"))
	if err != nil || !strings.HasPrefix(string(result), "- dataset:\n    id: acme/demo\n    task_id: default\n  value: 100") {
		t.Errorf("%v\n%s", err, result)
	}
}
