package verdict

// Codes of the bugs benchmark (spec section 14): of files, of slips in them, and
// of questions.
const (
	FileNotPython     Code = "file_not_python"
	FileNotProduction Code = "file_not_production"
	FileNothingAdded  Code = "file_nothing_added"
	FileUnreadable    Code = "file_unreadable"
	FileTooSmall      Code = "file_too_small"
	FileTooLarge      Code = "file_too_large"
	FileUnparsed      Code = "file_unparsed"
	FileNotClean      Code = "file_not_clean"
	FileTooFewAdded   Code = "file_too_few_added_lines"
	FileNamesPull     Code = "file_names_pull_request"
	NoFittingFile     Code = "no_fitting_file"

	NoSite             Code = "no_site"
	NamedInDescription Code = "named_in_description"

	DuplicateOriginal Code = "duplicate_original"
	OverQuestionQuota Code = "over_question_quota"
)

// bugReasons is the bugs benchmark's part of Reasons.
func bugReasons() []Reason {
	return []Reason{
		{NoFittingFile, StageFiles + ", " + StageHeads,
			"No changed file of the pull request is fit; the evidence says of each why."},
		{FileNotPython, StageFiles, "The file is not Python, or the pull request deletes it."},
		{FileNotProduction, StageFiles, "The file is a test, an example, generated or vendored."},
		{FileNothingAdded, StageFiles, "The pull request adds no line to the file."},
		{FileUnreadable, StageFiles + ", " + StageHeads, "The file's base cannot be read, or the diff does not fit it."},
		{FileTooSmall, StageFiles, "The file has too few bytes or logical lines."},
		{FileTooLarge, StageFiles, "The file has too many bytes or logical lines."},
		{FileUnparsed, StageFiles, "The file is not plain UTF-8, or the grammar finds errors in it."},
		{FileNotClean, StageFiles, "The file has a fault already: a name that nothing binds, or a wrong indentation."},
		{FileTooFewAdded, StageFiles,
			"The pull request adds too few logical lines to the file for a fault to be hidden among them."},
		{FileNamesPull, StageFiles, "The file names the pull request, by number or address, which leads to the original."},

		{NoSite, StageInject, "No slip of a wanted kind can be made and proven in a fitting file."},
		{NamedInDescription, StageInject, "The title or description gives the right or the wrong spelling away."},

		{DuplicateOriginal, StageDraw, "Another pull request shows the same file with the same content."},
		{OverQuestionQuota, StageDraw, "There are enough questions of its families, kinds, levels or repository."},
	}
}
