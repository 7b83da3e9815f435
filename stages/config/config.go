// Package config reads prforge.yaml: every number of the specification, with its default. Settings of a run alone are
// flags.
package config

import (
	"cmp"
	"time"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/contextbuilder"
	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/evaluation/cheats"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/scoring/contamination"
	"github.com/prforge/prforge/scoring/escaped"
	"github.com/prforge/prforge/scoring/fixes"
)

// Config is the whole of prforge.yaml (spec section 12). Every key has a
// default but Repositories and Dataset.FreezeDate.
type Config struct {
	Version int `yaml:"version" json:"version"`
	// Published or Sound
	Profile string `yaml:"profile" json:"profile" check:"published|sound"`
	// RevisionFinal or RevisionReviewed
	Revision string `yaml:"revision" json:"revision" check:"final|reviewed"`
	// revisionsOne or RevisionsAll
	Revisions string `yaml:"revisions" json:"revisions" check:"one|all"`
	// a dataset of reviews holds git objects
	Snapshots    bool         `yaml:"snapshots" json:"snapshots,omitempty"`
	Dataset      Dataset      `yaml:"dataset" json:"dataset"`
	Repositories Repositories `yaml:"repositories" json:"repositories"`
	// AnyVisibility, or "" for public ones alone
	Visibility string `yaml:"repositories_visibility,omitempty" json:"repositories_visibility,omitempty"`
	// those that take part; none are those of the profile
	Languages     []string                       `yaml:"languages" json:"languages,omitempty"`
	Window        Window                         `yaml:"window" json:"window"`
	RQS           scoring.RepositoryScoreOptions `yaml:"rqs" json:"rqs"`
	Filters       filters.Options                `yaml:"filters" json:"filters"`
	GroundTruth   GroundTruth                    `yaml:"ground_truth" json:"ground_truth"`
	RVS           RVS                            `yaml:"rvs" json:"rvs"`
	Selection     Selection                      `yaml:"selection" json:"selection"`
	Contamination Contamination                  `yaml:"contamination,omitempty" json:"contamination,omitzero"`
	EvalSplit     scoring.SplitOptions           `yaml:"eval_split" json:"eval_split"`
	Contexts      Contexts                       `yaml:"contexts" json:"contexts"`
	Summary       Model                          `yaml:"summary" json:"summary"`
	Encoder       Model                          `yaml:"encoder" json:"encoder"`
	Accounts      Accounts                       `yaml:"accounts" json:"accounts"`
	Sources       gitsource.Limits               `yaml:"sources" json:"sources"`
	Bugs          Bugs                           `yaml:"bugs" json:"bugs"`
	// of that benchmark alone
	Escaped   Escaped   `yaml:"escaped,omitempty" json:"escaped,omitzero"`
	Takedown  Takedown  `yaml:"takedown" json:"takedown"`
	Privacy   Privacy   `yaml:"privacy" json:"privacy"`
	GitHubApp GitHubApp `yaml:"github_app" json:"-"` // how to sign in changes no byte of the dataset

	// Frozen marks the configuration of a dataset, config.yaml: its raw records hold nothing that was taken down, and
	// pseudonyms instead of replaced names. It builds from a dataset only.
	Frozen bool `yaml:"frozen" json:"frozen,omitempty"`

	// Labels are the judgements in the file ground_truth.overrides.
	Labels Labels `yaml:"-" json:"-"`

	// File is the path the configuration was read from, for messages; Dir is
	// its folder, which relative paths in it are taken from.
	File string `yaml:"-" json:"-"`
	Dir  string `yaml:"-" json:"-"`
}

// The profiles (spec, page 1): sets of defaults. Every key can be set by itself.
const (
	// published follows the paper's rules where it gives a rule, so that results
	// can be compared.
	published = "published"
	// sound is the strict profile: the change as the reviewer saw it, one diff for all configurations, ground truth
	// that can be found.
	sound = "sound"
)

// Revisions that records can show, as the key "revision" has them.
const (
	RevisionFinal    = "final"    // what was merged
	RevisionReviewed = "reviewed" // the revision at which most substantive comments stand
)

// How many records a pull request may have, as the key "revisions" has it.
const (
	revisionsOne = "one" // one
	RevisionsAll = "all" // one for each revision at which enough further comments stand
)

// Dataset names the dataset and its makers. artifacts.DefaultCard has the defaults of empty texts.
type Dataset struct {
	Name            string `yaml:"name" json:"name"`
	PipelineVersion string `yaml:"pipeline_version" json:"pipeline_version"`
	FreezeDate      Date   `yaml:"freeze_date" json:"freeze_date"` // "now" for everything after collection

	Title       string `yaml:"title" json:"title,omitempty"`             // a name for people; Name where it is empty
	Description string `yaml:"description" json:"description,omitempty"` // one paragraph
	Homepage    string `yaml:"homepage" json:"homepage,omitempty"`       // a URL
	Creator     string `yaml:"creator" json:"creator,omitempty"`         // a person or an organization
	Contact     string `yaml:"contact" json:"contact,omitempty"`         // where takedown requests go: an address or a URL
	// a URL, for what the makers of the dataset added: labels, anchors, scores
	License  string `yaml:"license" json:"license,omitempty"`
	Citation string `yaml:"citation" json:"citation,omitempty"` // how to cite it

	// After is the SHA-256 of the manifest of the edition before this one; "" for none.
	After string `yaml:"after,omitempty" json:"after,omitempty"`
}

// Repositories lists OWNER/NAME, or names a file with one repository a line.
type Repositories []string

// Window selects pull requests by time (spec section 2).
type Window struct {
	Months                int `yaml:"months" json:"months" check:"1..1200"`
	MinAgeDays            int `yaml:"min_age_days" json:"min_age_days" check:"0.."`
	MaxPullsPerRepository int `yaml:"max_pulls_per_repository" json:"max_pulls_per_repository" check:"1.."`
	// From is its first day, instead of so many months before the freeze date.
	From Date `yaml:"from,omitempty" json:"from,omitzero"`
}

// GroundTruth says which substantive comments are ground truth (spec section 4).
type GroundTruth struct {
	// Policy is PolicyAll or PolicyStanding; of no effect where records show the
	// reviewed revision.
	Policy string `yaml:"policy" json:"policy" check:"all|standing"`
	// MinValidated is how many validated comments a record of
	// evals/validated.json has.
	MinValidated int `yaml:"min_validated" json:"min_validated" check:"1.."`
	// MaxRevisions is how many commits of a pull request are searched for the reviewed one.
	MaxRevisions int `yaml:"max_revisions" json:"max_revisions" check:"1.."`
	// ConfirmedBy is how many raters of the overrides must call a comment ground truth that the rules call so; 0 for none:
	// the latest judgement of a person then decides.
	ConfirmedBy int `yaml:"confirmed_by" json:"confirmed_by,omitempty" check:"0.."`
	// Overrides is a file of people's judgements on comments, which override the rules; "" for none. OverridesSHA256
	// is its digest, in a dataset's own configuration.
	Overrides       string `yaml:"overrides" json:"overrides,omitempty"`
	OverridesSHA256 string `yaml:"overrides_sha256" json:"overrides_sha256,omitempty"`
}

// The policies.
const (
	PolicyAll      = "all"      // every substantive comment
	PolicyStanding = "standing" // those whose code is in the final diff as it was
)

// RVS holds the floors of the review value score (spec sections 5 and 6).
type RVS struct {
	HardFloor float64 `yaml:"hard_floor" json:"hard_floor" check:"0..1"`
	Floor     float64 `yaml:"floor" json:"floor"`
}

// Selection holds the global step (spec section 8).
type Selection struct {
	scoring.SelectionOptions `yaml:",inline"`
	contamination.Options    `yaml:",inline"`
}

// Contexts holds the three frozen texts (spec section 9). Budgets are tokens
// of the rendered text, Around those of the text without layer 2.
type Contexts struct {
	Tokenizer string `yaml:"tokenizer" json:"tokenizer"`
	Diff      string `yaml:"diff" json:"diff" check:"budget|whole"` // DiffBudget or DiffWhole
	// of layer 2, with DiffWhole
	MaxDiffTokens  int           `yaml:"max_diff_tokens" json:"max_diff_tokens" check:"500.."`
	Around         model.Budgets `yaml:"around" json:"around"`   // with DiffWhole
	Budgets        model.Budgets `yaml:"budgets" json:"budgets"` // with DiffBudget
	SummaryTokens  int           `yaml:"summary_tokens" json:"summary_tokens" check:"50.."`
	MaxFiles       int           `yaml:"max_files" json:"max_files" check:"1.."`
	SameDiff       bool          `yaml:"same_diff" json:"same_diff"`
	ShowDifficulty bool          `yaml:"show_difficulty" json:"show_difficulty"`
}

// The values of the key "contexts.diff".
const (
	DiffBudget = "budget" // as much as fits the budgets
	DiffWhole  = "whole"  // all of it
)

// Model selects what a model or else rules of our own do. The provider of the summary is "rules", which write layer 1,
// that of the encoder "builtin", which measures closeness to known benchmarks; or "openai" for any endpoint with
// OpenAI's chat completions, or its embeddings.
type Model struct {
	Provider  string `yaml:"provider" json:"provider"`
	Endpoint  string `yaml:"endpoint" json:"endpoint,omitempty"`
	Model     string `yaml:"model" json:"model,omitempty"`
	APIKeyEnv string `yaml:"api_key_env" json:"-"`
	Trusted   bool   `yaml:"trusted,omitempty" json:"trusted,omitempty"` // texts that are not public may go there
}

// Accounts extends the curated registry (spec section 4).
type Accounts struct {
	Bots      []string `yaml:"bots" json:"bots"`                 // automation
	Reviewers []string `yaml:"ai_reviewers" json:"ai_reviewers"` // AI review
}

// Bugs says what questions are made of one fault each (spec section 14).
type Bugs struct {
	bugs.Options `yaml:",inline"`
	Quotas       BugQuotas `yaml:"quotas" json:"quotas"`
	// questions to one untouched and one harmlessly edited file; 0 for no controls
	ControlsEvery int `yaml:"controls_every" json:"controls_every" check:"0.."`
	// questions of each level in evals/levels.json
	SplitPerLevel int `yaml:"split_per_level" json:"split_per_level" check:"0.."`
	// Ceilings are the most that reviewers which read no meaning may get of the
	// questions; a build with more fails.
	Ceilings cheats.Ceilings `yaml:"ceilings" json:"ceilings,omitzero"`
}

// BugQuotas are the maximum and the minimum numbers of questions of each family, kind, level and repository. The
// configuration of a dataset without minimums omits them.
type BugQuotas struct {
	UndeclaredName int `yaml:"undeclared_name" json:"undeclared_name" check:"0.."`
	Indentation    int `yaml:"indentation" json:"indentation" check:"0.."`
	Import         int `yaml:"import" json:"import" check:"0.."`
	// Logic needs a Python to call functions with.
	Logic         int `yaml:"logic" json:"logic" check:"0.."`
	PerKind       int `yaml:"per_kind" json:"per_kind" check:"0.."`             // 0 for no limit
	PerLevel      int `yaml:"per_level" json:"per_level" check:"0.."`           // 0 for no limit
	PerRepository int `yaml:"per_repository" json:"per_repository" check:"0.."` // 0 for no limit

	// SharedFiles lets questions and controls be of one file where files are few.
	SharedFiles bool `yaml:"shared_files,omitempty" json:"shared_files,omitempty"`

	MinPerKind       int `yaml:"min_per_kind" json:"min_per_kind,omitempty" check:"0.."`
	MinPerLevel      int `yaml:"min_per_level" json:"min_per_level" check:"0.."`
	MinPerRepository int `yaml:"min_per_repository" json:"min_per_repository,omitempty" check:"0.."`
}

// Escaped says which later fixes lead to defects that review let through. What is
// 0 is as in fixes.DefaultOptions.
type Escaped struct {
	Until         Date `yaml:"until" json:"until"` // the last day of later history that is looked at
	fixes.Options `yaml:",inline"`
	// Answers are what people and models say of links from fixes to pull requests. With
	// ReleaseB those of grade B become records that two independent ones confirm.
	ReleaseB bool             `yaml:"release_b,omitempty" json:"release_b,omitempty"`
	Answers  []escaped.Answer `yaml:"answers,omitempty" json:"answers,omitempty"`
}

// Filled is the section with the defaults where it says nothing.
func (e Escaped) Filled() Escaped {
	o, d := &e.Options, fixes.DefaultOptions()
	o.MaxDeleted, o.MaxAdded, o.MaxFiles = cmp.Or(o.MaxDeleted, d.MaxDeleted), cmp.Or(o.MaxAdded, d.MaxAdded),
		cmp.Or(o.MaxFiles, d.MaxFiles)
	o.NearLines, o.NearShare, o.Similarity = cmp.Or(o.NearLines, d.NearLines), cmp.Or(o.NearShare, d.NearShare),
		cmp.Or(o.Similarity, d.Similarity)
	o.IntroFiles, o.IntroAdded = cmp.Or(o.IntroFiles, d.IntroFiles), cmp.Or(o.IntroAdded, d.IntroAdded)
	o.MinDays, o.MaxDays = cmp.Or(o.MinDays, d.MinDays), cmp.Or(o.MaxDays, d.MaxDays)
	return e
}

// Takedown names what must not appear in the dataset, raw data included.
type Takedown struct {
	PullRequests []TakedownEntry `yaml:"pull_requests" json:"pull_requests"`
	Repositories []TakedownEntry `yaml:"repositories" json:"repositories"`
	Accounts     []TakedownEntry `yaml:"accounts" json:"accounts"`
	// The two below replace the lists in the configuration of a dataset.
	SHA256     string            `yaml:"sha256" json:"sha256,omitempty"`
	Tombstones []model.Tombstone `yaml:"tombstones" json:"tombstones,omitempty"`
}

// TakedownEntry is one request: what is taken down, and when.
type TakedownEntry struct {
	Name string `yaml:"name" json:"name"`
	Date Date   `yaml:"date" json:"date"`
}

// Privacy replaces account names by keyed pseudonyms. The key is in the environment, never in a file.
type Privacy struct {
	Pseudonyms bool   `yaml:"pseudonyms" json:"pseudonyms"`
	KeyEnv     string `yaml:"key_env" json:"-"`
}

// GitHubApp signs in as an installation instead of with a token.
type GitHubApp struct {
	AppID          int64  `yaml:"app_id"`
	InstallationID int64  `yaml:"installation_id"`
	PrivateKeyFile string `yaml:"private_key_file"`
}

// Default is the configuration with every default of spec section 12, which are
// those of the profile Sound. A number that a package works with is that
// package's default; the others are written here and nowhere else.
func Default() Config {
	limits, selection, contexts := filters.DefaultOptions(), scoring.DefaultSelectionOptions(),
		contextbuilder.DefaultOptions()
	return Config{
		Version: 1, Profile: sound, Languages: []string{}, Revision: RevisionReviewed, Revisions: revisionsOne,
		Dataset:     Dataset{Name: "swe-prbench-open", PipelineVersion: "v1.1.0"},
		Window:      Window{Months: 6, MinAgeDays: 30, MaxPullsPerRepository: 30},
		RQS:         scoring.DefaultRepositoryScoreOptions(),
		Filters:     limits,
		RVS:         RVS{HardFloor: limits.MinReviewValue, Floor: selection.Floor},
		Selection:   Selection{selection, contamination.DefaultOptions()},
		EvalSplit:   scoring.DefaultSplitOptions(),
		GroundTruth: GroundTruth{Policy: PolicyAll, MinValidated: 2, MaxRevisions: 100},
		Contexts: Contexts{
			Tokenizer: tokens.Name, Diff: DiffWhole, MaxDiffTokens: contexts.MaxDiffTokens, Around: contexts.Around,
			Budgets:       contexts.Budgets,
			SummaryTokens: contexts.SummaryTokens, MaxFiles: contexts.MaxFiles, SameDiff: contexts.SameDiff,
			ShowDifficulty: contexts.ShowDifficulty,
		},
		Summary: Model{Provider: "rules", APIKeyEnv: "OPENAI_API_KEY"},
		Encoder: Model{Provider: "builtin", APIKeyEnv: "OPENAI_API_KEY"},
		Sources: gitsource.DefaultOptions().Limits,
		Bugs:    defaultBugs(),
		Privacy: Privacy{KeyEnv: "PRFORGE_PSEUDONYM_KEY"},
	}
}

// AnyVisibility admits repositories that are not public: a team's own.
const AnyVisibility = "any"

// NotForPublication reports whether the dataset may hold what is not public.
func (c *Config) NotForPublication() bool { return c.Visibility == AnyVisibility }

// Supported are the languages that take part.
func (c *Config) Supported() *languages.Set { return languages.Of(c.Profile, c.Languages) }

// Since is the beginning of the window: its configured first day, or the configured
// months before the freeze date.
func (c *Config) Since() time.Time {
	if !c.Window.From.IsZero() {
		return c.Window.From.Time
	}
	return c.Dataset.FreezeDate.AddDate(0, -c.Window.Months, 0)
}

// Until is the end of the window: the configured days before the freeze date.
func (c *Config) Until() time.Time { return c.Dataset.FreezeDate.AddDate(0, 0, -c.Window.MinAgeDays) }

// defaultBugs are the defaults of the bugs benchmark.
func defaultBugs() Bugs {
	q := bugs.DefaultQuotas()
	return Bugs{
		Options: bugs.DefaultOptions(),
		Quotas: BugQuotas{
			UndeclaredName: q.Families[string(injection.UndeclaredName)], Indentation: q.Families[string(injection.Indentation)],
			Import: q.Families[string(injection.Import)], Logic: q.Families[string(injection.Logic)],
			PerKind: q.PerKind, PerLevel: q.PerLevel, PerRepository: q.PerRepository, MinPerLevel: q.MinPerLevel,
		},
		Ceilings:      cheats.Ceilings{Level: 0.25, Own: map[string]float64{"pyflakes": 0.5}, MinItems: 10},
		ControlsEvery: q.ControlsEvery, SplitPerLevel: 10,
	}
}

// Labels are the judgements of people and models on comments, as read from
// ground_truth.overrides.
type Labels struct {
	Text  []byte // the file as it is
	Lines []model.Judgement
}

// Contamination names pull requests that no record may be, besides those of the
// known benchmarks that prforge ships.
type Contamination struct {
	Lists []InstanceList `yaml:"lists" json:"lists,omitempty"`
}

// InstanceList is a list of pull requests. A configuration names its file; the
// configuration of a dataset holds what the file said.
type InstanceList struct {
	Name  string   `yaml:"name" json:"name"`   // the file's name without its ending; what a verdict names
	Pulls []string `yaml:"pulls" json:"pulls"` // "OWNER/NAME 1 2 3"

	file string
}
