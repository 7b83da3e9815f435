package fixes

// Options are the thresholds of the rule.
type Options struct {
	MaxDeleted int `yaml:"max_deleted_lines" json:"max_deleted_lines" check:"0.."` // code lines that a fix deletes
	MaxAdded   int `yaml:"max_added_lines" json:"max_added_lines" check:"0.."`     // code lines that a fix adds
	// production files that a fix changes
	MaxFiles int `yaml:"max_files" json:"max_files" check:"0.."`
	// how far from an insertion a line is close to it
	NearLines int `yaml:"near_lines" json:"near_lines" check:"0.."`
	// of such lines that one change must have written
	NearShare float64 `yaml:"near_share" json:"near_share" check:"0..1"`
	// to lines that the introducing change deletes, from which it reworks
	Similarity float64 `yaml:"similarity" json:"similarity" check:"0..1"`
	IntroFiles int     `yaml:"introducing_files" json:"introducing_files" check:"0.."` // files of the introducing change
	IntroAdded int     `yaml:"introducing_lines" json:"introducing_lines" check:"0.."` // lines that it adds
	// from merge to fix, where lines alone lead to it
	MinDays int `yaml:"min_days" json:"min_days" check:"0.."`
	MaxDays int `yaml:"max_days" json:"max_days" check:"0.."`
	// GradeADays is up to how many days after the merge a link of lines is of grade A. 0: at no age, because lines
	// alone are right too seldom; then only a fix that names the pull request is.
	GradeADays int `yaml:"grade_a_days" json:"grade_a_days" check:"0.."`
}

// DefaultOptions are the thresholds that docs/escaped.md measures.
func DefaultOptions() Options {
	return Options{
		MaxDeleted: 20, MaxAdded: 200, MaxFiles: 3, NearLines: 3, NearShare: 0.8, Similarity: 0.4,
		IntroFiles: 30, IntroAdded: 1000, MinDays: 3, MaxDays: 540,
	}
}
