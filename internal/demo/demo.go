// Package demo is what is built into the program to try it with: a GitHub with a
// few pull requests for the review benchmark, and for the debugging benchmark
// scripts of our own (tables, statistics, models, plots) with the records of what
// they and their changes did under Debian 12's Python, so that a dataset can be
// built from them where there is no Python.
//
// After a change of a script or an operator the records are rebuilt:
//
//	prforge debugging build -c internal/demo/build.yaml -o out/demo-debugging --state out/state
//	cp out/demo-debugging/raw/runs.jsonl.zst internal/demo/
//	cp out/demo-debugging/config.yaml internal/demo/debugging.yaml
package demo

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed debugging.yaml
var configuration []byte

//go:embed runs.jsonl.zst
var runs []byte

// Records writes the configuration and the records to dir, as a build reads
// them from a frozen dataset.
func Records(dir string) error {
	for path, data := range map[string][]byte{"config.yaml": configuration, "raw/runs.jsonl.zst": runs} {
		full := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return fmt.Errorf("write the demo's records: %w", err)
		}
		if err := os.WriteFile(full, data, 0o644); err != nil {
			return fmt.Errorf("write the demo's records: %w", err)
		}
	}
	return nil
}
