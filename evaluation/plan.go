package evaluation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/reviewer"
)

// PlanVersion is the version of run.json.
const PlanVersion = 2

// Plan is run.json: everything that scores depend on besides the answers. It holds names of endpoints and of
// variables, never an address or a key.
type Plan struct {
	Version   int        `json:"version"`
	Benchmark string     `json:"benchmark"`
	Dataset   DatasetRef `json:"dataset"`
	Protocol  string     `json:"protocol"` // name/version
	// Prompts are the SHA-256 of the questions' texts.
	Prompts map[string]string `json:"prompts"`
	// Prompt is the configured prompt (Prompter); "" means the dataset's prompt for each question.
	Prompt string   `json:"prompt,omitempty"`
	Tasks  []string `json:"tasks"` // in the order of the dataset
	// TasksSHA256 is the digest of tasks.jsonl.
	TasksSHA256 string           `json:"tasks_sha256"`
	Split       string           `json:"split"` // the split that the tasks come from; "" for all
	Configs     []string         `json:"configs"`
	Models      []reviewer.Model `json:"models"`
	Judge       Judge            `json:"judge"`
	Repeats     int              `json:"repeats"` // reviews of one task by one model in one configuration
	Seed        uint64           `json:"seed"`
	// Draws is the number of permutations of a test; Cluster is the unit that intervals and tests resample: task or
	// repo.
	Draws      int    `json:"draws"`
	Cluster    string `json:"cluster"`
	PricesAsOf string `json:"prices_as_of"` // the date of the prices, as configured
}

// DatasetRef says which dataset was evaluated.
type DatasetRef struct {
	Name           string `json:"name"`
	ManifestSHA256 string `json:"manifest_sha256"`
	// NotForPublication marks a dataset that may hold unpublished data: only trusted endpoints receive its texts.
	NotForPublication bool `json:"not_for_publication,omitempty"`
}

// NotForPublication is the notice in every report of such a dataset.
const NotForPublication = "Not for publication: the dataset may hold code and comments of repositories that are not public."

// Modes of the judge.
const (
	ModeRecord   = "record"   // one question about all comments of a record
	ModePairwise = "pairwise" // one question for each candidate pair
	ModeOfficial = "official" // the published question, neither blind nor repaired, to repeat the published number
)

// Judge is the judge that compares comments with ground truth, and its mode.
type Judge struct {
	ID            string `json:"id" yaml:"id"`
	Provider      string `json:"provider" yaml:"provider"` // rules, or one of models
	reviewer.Call `yaml:",inline"`
	Mode          string `json:"mode" yaml:"mode"`
	Repeat        int    `json:"repeat" yaml:"repeat"`
	// MaxDiff is the maximum size in bytes of a diff for the judge. The question lists and counts what is left out of
	// a longer one.
	MaxDiff int `json:"max_diff" yaml:"max_diff"`
}

// ProviderRules is the judge that needs no model.
const ProviderRules = "rules"

// Asks reports whether the judge is a model.
func (j Judge) Asks() bool { return j.Provider != ProviderRules }

// Check rejects a plan that cannot run; the message begins with the key.
func (p Plan) Check() error {
	switch {
	case len(p.Tasks) == 0:
		return fmt.Errorf("tasks: there is nothing to evaluate")
	case len(p.Configs) == 0:
		return fmt.Errorf("configs: there is nothing to evaluate")
	case p.Repeats < 1 || p.Repeats > 100:
		return fmt.Errorf("repeats: is %d, want 1 to 100", p.Repeats)
	case p.Draws < 100 || p.Draws > 1_000_000:
		return fmt.Errorf("draws: is %d, want 100 to 1000000", p.Draws)
	case p.Cluster != "task" && p.Cluster != "repo":
		return fmt.Errorf("cluster: is %q, want task or repo", p.Cluster)
	case len(p.Models) == 0:
		return fmt.Errorf("models: name at least one reviewer")
	}
	seen := map[string]bool{}
	for _, m := range p.Models {
		if seen[strings.ToLower(m.ID)] {
			return fmt.Errorf("models: %q comes twice", m.ID)
		}
		seen[strings.ToLower(m.ID)] = true
		if err := m.Check(); err != nil {
			return fmt.Errorf("models: %s: %w", m.ID, err)
		}
	}
	return p.Judge.check()
}

func (j Judge) check() error {
	if !j.Asks() {
		return nil
	}
	switch {
	case j.Mode != ModeRecord && j.Mode != ModePairwise && j.Mode != ModeOfficial:
		return fmt.Errorf("judge: mode is %q, want record, pairwise or official", j.Mode)
	case j.Mode == ModeOfficial && j.Repeat != 1:
		return fmt.Errorf("judge: repeat is %d, but the official mode asks once", j.Repeat)
	case j.Repeat < 1 || j.Repeat > 99:
		return fmt.Errorf("judge: repeat is %d, want 1 to 99", j.Repeat)
	case j.MaxDiff < 1000:
		return fmt.Errorf("judge: max_diff is %d, want at least 1000", j.MaxDiff)
	}
	if err := j.Check(); err != nil {
		return fmt.Errorf("judge: %w", err)
	}
	return nil
}

// RecordKey names one record: a model's review of a task in a configuration.
type RecordKey struct {
	Model  string `json:"model"`
	Config string `json:"config"`
	Task   string `json:"task_id"`
	Repeat int    `json:"repeat"` // from 1
}

// String is the key for messages and seeds.
func (k RecordKey) String() string {
	return fmt.Sprintf("%s/%s/%s/%d", k.Model, k.Config, k.Task, k.Repeat)
}

// Records lists the records of a plan: by model, configuration, task, repeat. A
// task without a question in a configuration has no record there.
func (p Plan) Records(items map[string]Item) []RecordKey {
	var out []RecordKey
	for _, m := range p.Models {
		for _, c := range p.Configs {
			if m.Configs != nil && !slices.Contains(m.Configs, c) || !m.Reviews(c) {
				continue
			}
			for _, t := range p.Tasks {
				if _, asked := items[t].Prompts[c]; !asked {
					continue
				}
				for r := 1; r <= p.Repeats; r++ {
					out = append(out, RecordKey{Model: m.ID, Config: c, Task: t, Repeat: r})
				}
			}
		}
	}
	return out
}

// warnings are what every reader of the numbers must know.
func (p Plan) warnings() []string {
	var out []string
	if p.Dataset.NotForPublication {
		out = append(out, NotForPublication)
	}
	if p.Prompt != "" {
		out = append(out, fmt.Sprintf("Questions were put by the prompt %s, whatever the dataset names.", p.Prompt))
	}
	if p.Benchmark == "review" && !p.Judge.Asks() {
		out = append(out, rulesWarning)
	}
	if p.Judge.Mode == ModeOfficial && p.Judge.Asks() {
		out = append(out,
			"Judged by the published question: it names the configuration, shows at most 12,000 characters of the diff and nothing of the context.")
	}
	var references, unknown []string
	for _, m := range p.Models {
		if m.Model != "" && m.Cutoff == "" {
			unknown = append(unknown, m.ID)
		}
		switch {
		case m.Model != "" && p.Judge.Asks() && family(m.Model) == family(p.Judge.Model):
			out = append(out, fmt.Sprintf("%s is judged by a model of its own family (%s).", m.ID, p.Judge.Model))
		case m.Provider == reviewer.Reference:
			references = append(references, m.ID)
		}
	}
	if len(unknown) > 0 {
		out = append(out, "No cutoff is configured: whether these pull requests were in the training is not known of "+
			strings.Join(unknown, ", ")+".")
	}
	if len(references) > 0 {
		out = append(out, "Built-in references mark the ends of the scale and are no reviewers: "+
			strings.Join(references, ", ")+".")
	}
	return out
}

// family is the beginning of a model's name up to its first digit or dash,
// after the vendor: gpt of openai/gpt-5.
func family(model string) string {
	if i := strings.LastIndexByte(model, '/'); i >= 0 {
		model = model[i+1:]
	}
	for i, r := range model {
		if strings.ContainsRune("-:.0123456789", r) && i > 0 {
			model = model[:i]
			break
		}
	}
	return strings.ToLower(model)
}

// rulesWarning is the warning in every report of the rules judge.
const rulesWarning = "Judged by rules of position and words alone. That is for trials and tests: it is no substitute for a judge that understands what a comment says."
