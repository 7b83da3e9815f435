package substance

import "github.com/prforge/prforge/internal/model"

// Options are the thresholds of the comment rules.
type Options struct {
	// words of prose that a comment needs; 10 by spec section 4
	MinWords int `yaml:"min_words" json:"min_words" check:"0.."`
	// SuggestionCounts allows a comment fewer words if its suggestion changes code.
	SuggestionCounts bool `yaml:"suggestion_counts" json:"suggestion_counts"`
	// Refinements are the active ones of AllRefinements.
	Refinements []string `yaml:"comment_rules" json:"comment_rules"`
	// Judged are people's judgements by comment id. They override the rules about the text; the author of a comment
	// and whether it starts a thread are facts.
	Judged map[int64]model.Judgement `yaml:"-" json:"-"`
	// ConfirmedBy is how many raters must call a comment ground truth that no rule rejects; Confirmed is how many do, by
	// comment id.
	ConfirmedBy int           `yaml:"-" json:"-"`
	Confirmed   map[int64]int `yaml:"-" json:"-"`
}

// The refinements of the comment rules, each a separate switch. They reject comments that the paper's rules keep and
// a reader would not.
const (
	// explanations rejects comments that only say what the change or its writer does, did or thinks.
	explanations = "explanations"
	// reasonedPraise rejects praise that gives a reason.
	reasonedPraise = "reasoned_praise"
	// pointers rejects comments that only point at another comment.
	pointers = "pointers"
	// clarifications rejects questions that only ask for an explanation, and keeps doubts ("are we sure") and nits
	// that move code.
	clarifications = "clarifications"
	// documentation rejects comments that only ask for documentation or another wording, names those that only propose
	// another name, forms those that only propose another form of the same code and give no reason, asides those that
	// their writer calls beside the change, fine as it is, or said already.
	documentation = "documentation"
	names         = "names"
	forms         = "forms"
	asides        = "asides"
	// withdrawn rejects comments that their writer takes back in a reply.
	withdrawn = "withdrawn"
	// replacements allows a comment fewer words if it names the code to write instead. It is off by default: spec
	// section 4 admits only suggestions.
	replacements = "replacements"
)

// AllRefinements are the names of all refinements.
func AllRefinements() []string {
	return []string{explanations, reasonedPraise, pointers, clarifications, documentation, names, forms, asides, withdrawn,
		replacements}
}

// DefaultOptions are those of spec section 4, profile sound.
func DefaultOptions() Options {
	return Options{MinWords: 10, SuggestionCounts: true,
		Refinements: []string{explanations, reasonedPraise, pointers, clarifications, documentation, names, forms, asides,
			withdrawn}}
}
