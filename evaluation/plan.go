package evaluation

import (
	"fmt"
	"regexp"
	"strings"
)

// PlanVersion is the version of run.json.
const PlanVersion = 1

// Plan is run.json: everything that scores depend on besides the answers. It
// holds names of endpoints and of variables, never an address or a key.
type Plan struct {
	Version   int        `json:"version"`
	Benchmark string     `json:"benchmark"`
	Dataset   DatasetRef `json:"dataset"`
	Protocol  string     `json:"protocol"` // name/version
	// Prompts are the SHA-256 of the texts that questions are made of.
	Prompts map[string]string `json:"prompts"`
	// Prompt is the configured prompt (Prompter); "" for the one that the dataset
	// names with each question.
	Prompt  string   `json:"prompt,omitempty"`
	Tasks   []string `json:"tasks"` // in the order of the dataset
	Split   string   `json:"split"` // the split that the tasks come from; "" for all
	Configs []string `json:"configs"`
	Models  []Model  `json:"models"`
	Judge   Judge    `json:"judge"`
	Repeats int      `json:"repeats"` // reviews of one task by one model in one configuration
	Seed    uint64   `json:"seed"`
	// Draws is the number of permutations of a test; Cluster is what intervals and
	// tests take as a whole: task or repo.
	Draws      int    `json:"draws"`
	Cluster    string `json:"cluster"`
	PricesAsOf string `json:"prices_as_of"` // the date of the prices, as configured
}

// DatasetRef says which dataset was evaluated.
type DatasetRef struct {
	Name           string `json:"name"`
	ManifestSHA256 string `json:"manifest_sha256"`
}

// Call is how a model is called; all of it is sent and recorded.
type Call struct {
	Endpoint            string   `json:"endpoint" yaml:"endpoint"` // name of an endpoint of the configuration
	Model               string   `json:"model" yaml:"model"`
	Temperature         *float64 `json:"temperature" yaml:"temperature"` // left out where nil
	MaxTokens           int      `json:"max_tokens" yaml:"max_tokens"`   // left out where 0
	MaxCompletionTokens int      `json:"max_completion_tokens" yaml:"max_completion_tokens"`
	Seed                *int64   `json:"seed" yaml:"seed"`
	ReasoningEffort     string   `json:"reasoning_effort" yaml:"reasoning_effort"`
	Schema              bool     `json:"response_schema" yaml:"response_schema"` // the endpoint takes a JSON schema
	// Price is in US dollars for a million tokens; without it there is no cost.
	Price *Price `json:"price" yaml:"price"`
}

// Price is US dollars for a million tokens.
type Price struct {
	Input  float64 `json:"input" yaml:"input"`
	Output float64 `json:"output" yaml:"output"`
}

// USD is what tokens cost; 0 without a price.
func (p *Price) USD(input, output int64) float64 {
	if p == nil {
		return 0
	}
	return (float64(input)*p.Input + float64(output)*p.Output) / 1e6
}

// Providers of reviews.
const (
	ProviderOpenAI    = "openai"    // an endpoint that speaks OpenAI's protocol
	ProviderProgram   = "program"   // a program: context on standard input, comments on standard output
	ProviderReference = "reference" // a built-in reviewer
	ProviderImported  = "imported"  // reviews brought by eval import
)

// Model is one reviewer.
type Model struct {
	ID       string `json:"id" yaml:"id"`
	Provider string `json:"provider" yaml:"provider"`
	Call     `yaml:",inline"`
	// Reference is the built-in reviewer's name.
	Reference string `json:"reference,omitempty" yaml:"reference"`
	// Command is a program with its arguments, Env the names of the variables
	// that it gets besides PATH and HOME, TimeoutSeconds its limit a review.
	Command        []string `json:"command,omitempty" yaml:"command"`
	Env            []string `json:"env,omitempty" yaml:"env"`
	TimeoutSeconds int      `json:"timeout_seconds,omitempty" yaml:"timeout_seconds"`
}

// Modes of the judge.
const (
	ModeRecord   = "record"   // one question about all comments of a record
	ModePairwise = "pairwise" // one question for each candidate pair
	ModeOfficial = "official" // the published question, neither blind nor repaired, to repeat the published number
)

// Judge is who compares comments with ground truth, and how.
type Judge struct {
	ID       string `json:"id" yaml:"id"`
	Provider string `json:"provider" yaml:"provider"` // openai, rules
	Call     `yaml:",inline"`
	Mode     string `json:"mode" yaml:"mode"`
	Repeat   int    `json:"repeat" yaml:"repeat"`
	// MaxDiff is the most bytes of a diff that the judge is shown; what is left
	// out of a longer one is said to it and counted.
	MaxDiff int `json:"max_diff" yaml:"max_diff"`
}

// ProviderRules is the judge that needs no model.
const ProviderRules = "rules"

// id is a name that is safe as a folder and in a table.
var id = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$`)

// Check refuses a plan that cannot be run; the message begins with the key.
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
		if err := m.check(); err != nil {
			return fmt.Errorf("models: %s: %w", m.ID, err)
		}
	}
	return p.Judge.check()
}

func (m Model) check() error {
	if !id.MatchString(m.ID) {
		return fmt.Errorf("an id has letters, digits, dots, dashes and underscores, at most 80")
	}
	switch m.Provider {
	case ProviderOpenAI:
		return m.Call.check()
	case ProviderProgram:
		if len(m.Command) == 0 || m.TimeoutSeconds < 1 {
			return fmt.Errorf("a program needs command and timeout_seconds")
		}
	case ProviderReference:
		if m.Reference == "" {
			return fmt.Errorf("reference names no built-in reviewer")
		}
	case ProviderImported:
	default:
		return fmt.Errorf("provider is %q, want openai, program, reference or imported", m.Provider)
	}
	return nil
}

func (c Call) check() error {
	switch {
	case c.Endpoint == "" || c.Model == "":
		return fmt.Errorf("endpoint and model must be named")
	case c.MaxTokens < 0 || c.MaxCompletionTokens < 0 || c.MaxTokens > 0 && c.MaxCompletionTokens > 0:
		return fmt.Errorf("set one of max_tokens and max_completion_tokens, to more than 0")
	case c.Price != nil && (c.Price.Input < 0 || c.Price.Output < 0):
		return fmt.Errorf("a price is not below 0")
	}
	return nil
}

func (j Judge) check() error {
	if j.Provider == ProviderRules {
		return nil
	}
	switch {
	case j.Provider != ProviderOpenAI:
		return fmt.Errorf("judge: provider is %q, want openai or rules", j.Provider)
	case j.Mode != ModeRecord && j.Mode != ModePairwise && j.Mode != ModeOfficial:
		return fmt.Errorf("judge: mode is %q, want record, pairwise or official", j.Mode)
	case j.Mode == ModeOfficial && j.Repeat != 1:
		return fmt.Errorf("judge: repeat is %d, but the official mode asks once", j.Repeat)
	case j.Repeat < 1 || j.Repeat > 99:
		return fmt.Errorf("judge: repeat is %d, want 1 to 99", j.Repeat)
	case j.MaxDiff < 1000:
		return fmt.Errorf("judge: max_diff is %d, want at least 1000", j.MaxDiff)
	}
	if err := j.Call.check(); err != nil {
		return fmt.Errorf("judge: %w", err)
	}
	return nil
}

// MaxOutput is the most tokens that a call may answer; 0 where it has no limit.
func (c Call) MaxOutput() int { return max(c.MaxTokens, c.MaxCompletionTokens) }

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

// warnings are what everybody who reads the numbers has to know.
func (p Plan) warnings() []string {
	var out []string
	if p.Prompt != "" {
		out = append(out, fmt.Sprintf("Questions were put by the prompt %s, whatever the dataset names.", p.Prompt))
	}
	if p.Benchmark == "review" && p.Judge.Provider == ProviderRules {
		out = append(out, rulesWarning)
	}
	if p.Judge.Mode == ModeOfficial && p.Judge.Provider == ProviderOpenAI {
		out = append(out, "Judged by the published question: it names the configuration, shows at most 12,000 characters of the diff and nothing of the context.")
	}
	var references []string
	for _, m := range p.Models {
		switch {
		case m.Provider == ProviderOpenAI && p.Judge.Provider == ProviderOpenAI && family(m.Model) == family(p.Judge.Model):
			out = append(out, fmt.Sprintf("%s is judged by a model of its own family (%s).", m.ID, p.Judge.Model))
		case m.Provider == ProviderReference:
			references = append(references, m.ID)
		}
	}
	if len(references) > 0 {
		out = append(out, "Built-in references mark the ends of the scale and are no reviewers: "+strings.Join(references, ", ")+".")
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
