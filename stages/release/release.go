// Package release brings a frozen dataset to where others find it, a folder for a hub or a
// bucket, whole or with sealed answers, and opens what was sealed.
package release

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/seal"
	"github.com/prforge/prforge/collectors/exchange"
	"github.com/prforge/prforge/evaluation"
)

// Target is the destination of a release. Files in it never change: an interrupted release continues, and a different
// one in the same target is refused.
type Target struct {
	exchange.Exchange
	Files int   // of the release
	Bytes int64 // of them
}

// Whole brings every file of a dataset.
func (t *Target) Whole(ctx context.Context, r *load.Reader) error {
	for _, name := range slices.Sorted(maps.Keys(r.Manifest.Files)) {
		if err := t.copy(ctx, r, name); err != nil {
			return err
		}
	}
	return t.copy(ctx, r, artifacts.FileManifest) // last: who sees it sees everything
}

// Sealed brings the questions of a dataset of reviews, and its answers sealed: records,
// evidence, audit and raw records, which hold or hint at answers, stay at home.
func (t *Target) Sealed(ctx context.Context, r *load.Reader, key seal.Key) error {
	if b := r.Manifest.Benchmark; b != artifacts.Review && b != "" {
		return fmt.Errorf("the answers of a dataset of %s cannot be sealed: only those of reviews", b)
	}
	sum, err := load.ManifestDigest(r.Dir)
	if err != nil {
		return err
	}
	list := seal.List{ManifestSHA256: sum, Method: seal.Method, Seals: []seal.Seal{}}
	for record, err := range r.Records() {
		if err != nil {
			return err
		}
		s, err := t.sealOne(ctx, r, key, record.TaskID)
		if err != nil {
			return err
		}
		list.Seals = append(list.Seals, s)
	}
	for _, name := range []string{artifacts.FileContextTable, artifacts.FileSplit, artifacts.FileLicense} {
		if err := t.copy(ctx, r, name); err != nil {
			return err
		}
	}
	text, err := artifacts.Canonical(list)
	if err != nil {
		return err
	}
	return errors.Join(t.put(ctx, artifacts.FileCard, sealedCard(r.Manifest, len(list.Seals))),
		t.put(ctx, seal.File, text))
}

// sealOne brings a task's contexts and its sealed annotation.
func (t *Target) sealOne(ctx context.Context, r *load.Reader, key seal.Key, taskID string) (seal.Seal, error) {
	answer, err := load.ReadBytes(r.Dir, artifacts.FileAnnotation(taskID))
	if err != nil {
		return seal.Seal{}, err
	}
	s, sealed, err := key.Close(taskID, answer)
	if err == nil {
		err = t.put(ctx, seal.Box(taskID), sealed)
	}
	for _, config := range artifacts.Configs {
		if err == nil {
			err = t.copy(ctx, r, artifacts.FileContext(config, taskID))
		}
	}
	return s, err
}

func sealedCard(m artifacts.Manifest, tasks int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b,
		"---\nlicense: other\nlicense_name: per-record\nlicense_link: LICENSE.md\nconfigs:\n- config_name: contexts\n  default: true\n  data_files:\n  - split: test\n    path: %s\n---\n\n", artifacts.FileContextTable)
	fmt.Fprintf(&b,
		"# %s, sealed\n\n%d questions, frozen as of %s by pipeline %s. The answers are in `sealed/`, encrypted, each with its salted SHA-256 in `%s`: ", m.Name, tasks, m.FreezeDate, m.PipelineVersion, seal.File)
	b.WriteString("they were fixed before anybody could score, and nobody can have learnt them. When the key is published, `prforge unseal FOLDER --key KEY -o ANSWERS` opens them and says what was altered.\n")
	if m.NotForPublication {
		b.WriteString("\n> **" + artifacts.NotForPublication + "**\n")
	}
	return b.Bytes()
}

// unsafe is what a file name of a release does not have.
var unsafe = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// result is an entry of a file in .eval_results of a model's repository on Hugging Face
// (huggingface.co/docs/hub/eval-results).
type result struct {
	Dataset struct {
		ID     string `yaml:"id"`
		TaskID string `yaml:"task_id"`
	} `yaml:"dataset"`
	Value float64 `yaml:"value"`
	Notes string  `yaml:"notes"`
}

// board is eval.yaml, which makes a dataset's repository on Hugging Face a benchmark with a
// leaderboard. Its evaluation_framework is one of a list that the hub keeps, without prforge.
type board struct {
	Name        string      `yaml:"name"`
	Description string      `yaml:"description"`
	Tasks       []boardTask `yaml:"tasks"`
}

// boardTask names what is asked: a configuration of the card, else the card's default.
type boardTask struct {
	ID     string `yaml:"id"`
	Config string `yaml:"config,omitempty"`
	Split  string `yaml:"split"`
}

// Results brings eval.yaml, and a file for each model of a report, for .eval_results of that model's own
// repository: the ranking metric in percent. id is the dataset's on the hub.
func (t *Target) Results(ctx context.Context, id string, r evaluation.Report) error {
	_, name, _ := strings.Cut(id, "/")
	one := boardTask{ID: "default", Split: "test"}
	if r.Plan.Benchmark == string(artifacts.Review) {
		one.Config = "contexts"
	}
	text,
		err := yaml.Marshal(board{name, "The ranking metric of prforge eval, " + r.Plan.Protocol + ", in percent.",
		[]boardTask{one}})
	if err == nil {
		err = t.put(ctx, load.HubBoard, text)
	}
	if err != nil {
		return err
	}
	for _, m := range r.Models {
		for i, metric := range r.Metrics {
			v := m.Values[i].Micro
			if !metric.Ranks || !v.Value.Defined() {
				continue
			}
			one := result{Value: float64(int(float64(v.Value)*10000+0.5)) / 100,
				Notes: fmt.Sprintf("%s of %s, %d of %d records scored, judge %s", metric.Name, m.Model, m.Scored, m.Planned,
					r.Plan.Judge.ID)}
			one.Dataset.ID, one.Dataset.TaskID = id, "default"
			text, err := yaml.Marshal([]result{one})
			if err == nil {
				err = t.put(ctx, load.HubResults+"/"+unsafe.ReplaceAllString(m.Model, "-")+".yaml", text)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *Target) copy(ctx context.Context, r *load.Reader, name string) error {
	data, err := load.ReadBytes(r.Dir, name)
	if err != nil {
		return err
	}
	return t.put(ctx, name, data)
}

// put brings a file, unless it is there already.
func (t *Target) put(ctx context.Context, name string, data []byte) error {
	created, err := t.Create(ctx, name, bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("release %s: %w", name, err)
	}
	t.Files, t.Bytes = t.Files+1, t.Bytes+int64(len(data))
	if created {
		return nil
	}
	in, err := t.Open(ctx, name)
	if err != nil {
		return fmt.Errorf("release %s: %w", name, err)
	}
	defer in.Close()
	there, err := io.ReadAll(io.LimitReader(in, int64(len(data))+1))
	if err == nil && !bytes.Equal(there, data) {
		err = errors.New("another file is there: a release is never changed, choose another address")
	}
	if err != nil {
		return fmt.Errorf("release %s: %w", name, err)
	}
	return nil
}

// Unseal opens the answers of a sealed release in a folder and writes them to another one.
// The error joins one for each that was altered; then nothing is written.
func Unseal(dir, out string, key seal.Key) (int, error) {
	list, err := load.ReadJSON[seal.List](dir, seal.File)
	if err != nil {
		return 0, fmt.Errorf("%s is no sealed release: %w", dir, err)
	}
	if list.Method != seal.Method {
		return 0, fmt.Errorf("%s: the method %q is not known; %s is", seal.File, list.Method, seal.Method)
	}
	var answers [][]byte
	var altered []error
	for _, s := range list.Seals {
		if err := artifacts.CheckTaskID(s.TaskID); err != nil {
			return 0, err
		}
		sealed, err := load.ReadBytes(dir, seal.Box(s.TaskID))
		var answer []byte
		if err == nil {
			answer, err = key.Open(s, sealed)
		}
		var a artifacts.Annotation
		if err == nil && json.Unmarshal(answer, &a) == nil && a.TaskID != s.TaskID {
			err = fmt.Errorf("%s: the answer is that of %s", s.TaskID, a.TaskID)
		}
		if err != nil {
			altered = append(altered, err)
		}
		answers = append(answers, answer)
	}
	if err := errors.Join(altered...); err != nil {
		return 0, err
	}
	if err := os.MkdirAll(filepath.Join(out, "annotations"), 0o755); err != nil {
		return 0, err
	}
	for i, s := range list.Seals {
		if err := os.WriteFile(filepath.Join(out, filepath.FromSlash(artifacts.FileAnnotation(s.TaskID))), answers[i],
			0o644); err != nil {
			return 0, err
		}
	}
	return len(list.Seals), nil
}
