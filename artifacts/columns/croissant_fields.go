package columns

// croissantContext is the JSON-LD context that the format's appendix 1
// recommends, in its order.
type croissantContext struct {
	Language     string    `json:"@language"`
	Vocab        string    `json:"@vocab"`
	CiteAs       string    `json:"citeAs"`
	Column       string    `json:"column"`
	ConformsTo   string    `json:"conformsTo"`
	CR           string    `json:"cr"`
	RAI          string    `json:"rai"`
	Data         typedTerm `json:"data"`
	DataType     typedTerm `json:"dataType"`
	DCT          string    `json:"dct"`
	Examples     typedTerm `json:"examples"`
	Extract      string    `json:"extract"`
	Field        string    `json:"field"`
	FileProperty string    `json:"fileProperty"`
	FileObject   string    `json:"fileObject"`
	FileSet      string    `json:"fileSet"`
	Format       string    `json:"format"`
	Includes     string    `json:"includes"`
	IsLive       string    `json:"isLiveDataset"`
	JSONPath     string    `json:"jsonPath"`
	Key          string    `json:"key"`
	MD5          string    `json:"md5"`
	ParentField  string    `json:"parentField"`
	Path         string    `json:"path"`
	RecordSet    string    `json:"recordSet"`
	References   string    `json:"references"`
	Regex        string    `json:"regex"`
	Repeated     string    `json:"repeated"`
	Replace      string    `json:"replace"`
	SC           string    `json:"sc"`
	Separator    string    `json:"separator"`
	Source       string    `json:"source"`
	SubField     string    `json:"subField"`
	Transform    string    `json:"transform"`
}

// typedTerm is a term of the context with a type.
type typedTerm struct {
	ID   string `json:"@id"`
	Type string `json:"@type"`
}

func newCroissantContext() croissantContext {
	return croissantContext{
		Language: "en", Vocab: "https://schema.org/", CiteAs: "cr:citeAs", Column: "cr:column", ConformsTo: "dct:conformsTo",
		CR: "http://mlcommons.org/croissant/", RAI: "http://mlcommons.org/croissant/RAI/", Data: typedTerm{"cr:data", "@json"},
		DataType: typedTerm{"cr:dataType", "@vocab"}, DCT: "http://purl.org/dc/terms/", Examples: typedTerm{"cr:examples", "@json"},
		Extract: "cr:extract", Field: "cr:field", FileProperty: "cr:fileProperty", FileObject: "cr:fileObject", FileSet: "cr:fileSet",
		Format: "cr:format", Includes: "cr:includes", IsLive: "cr:isLiveDataset", JSONPath: "cr:jsonPath", Key: "cr:key", MD5: "cr:md5",
		ParentField: "cr:parentField", Path: "cr:path", RecordSet: "cr:recordSet", References: "cr:references", Regex: "cr:regex",
		Repeated: "cr:repeated", Replace: "cr:replace", SC: "https://schema.org/", Separator: "cr:separator", Source: "cr:source",
		SubField: "cr:subField", Transform: "cr:transform",
	}
}

// fieldOf is one field of a record set, taken from the column of its name.
type fieldOf struct {
	name, dataType, description string
	repeated                    bool
}

const (
	typeText = "sc:Text"
	typeInt  = "sc:Integer"
	typeNum  = "sc:Float"
	typeBool = "sc:Boolean"
	typeURL  = "sc:URL"
	typeTime = "sc:DateTime"
)

// recordSet describes the flat columns of prs.parquet and the parts of its two
// structures.
func recordSet() CroissantSet {
	fields := []fieldOf{
		{name: "task_id", dataType: typeText, description: "Name of the task: {repo}__{number}."},
		{name: "repo", dataType: typeText, description: "OWNER/NAME of the repository."},
		{name: "repo_name", dataType: typeText, description: "NAME of the repository."},
		{name: "repo_clone_url", dataType: typeURL, description: "Where git clones it from."},
		{name: "repo_url", dataType: typeURL, description: "The repository's page."},
		{name: "pr_number", dataType: typeInt, description: "Number of the pull request."},
		{name: "pr_url", dataType: typeURL, description: "The pull request's page."},
		{name: "title", dataType: typeText, description: "Its title."},
		{name: "description", dataType: typeText, description: "Its description, as written."},
		{name: "language", dataType: typeText, description: "Language of the changed production files."},
		{name: "pr_type", dataType: typeText, description: "security, bug_fix, performance, refactor or feature."},
		{name: "difficulty", dataType: typeText, description: "Type1_Direct, Type2_Contextual or Type3_Latent_Candidate."},
		{name: "severity", dataType: typeText, description: "Always null: comments carry severities."},
		{name: "rvs_score", dataType: typeNum, description: "PR Review Value Score, 0 to 1."},
		{name: "rvs_breakdown", dataType: typeText, description: "The five parts of the score."},
		{name: "lines_added", dataType: typeInt, description: "Lines that the diff adds."},
		{name: "lines_removed", dataType: typeInt, description: "Lines that the diff deletes."},
		{name: "files_changed", dataType: typeInt, description: "Files in the diff."},
		{name: "changed_files", dataType: typeText, description: "Their paths.", repeated: true},
		{name: "merged_at", dataType: typeTime, description: "When it was merged, UTC."},
		{name: "base_commit", dataType: typeText, description: "The fork point that the diff is against."},
		{name: "head_commit", dataType: typeText, description: "The final head."},
		{name: "num_substantive_comments", dataType: typeInt, description: "Ground-truth comments."},
		{name: "num_unique_reviewers", dataType: typeInt, description: "Human reviewers other than the author."},
		{name: "has_requested_changes", dataType: typeBool, description: "Whether a reviewer asked for changes."},
		{name: "ai_comments_removed", dataType: typeInt, description: "Review comments by bots or written by an AI."},
		{name: "human_review_comments", dataType: typeText, description: "All human review comments, replies included.", repeated: true},
		{name: "agent_input", dataType: typeText, description: "Always null."},
		{name: "diff_patch", dataType: typeText, description: "Unified diff against base_commit."},
	}
	source := croissantSource{FileObject: &croissantRef{idParquet}}
	return set("records", "One record a pull request.", fields, source, "task_id")
}

func annotationSet() CroissantSet {
	fields := []fieldOf{
		{name: "task_id", dataType: typeText, description: "The task."},
		{name: "repo", dataType: typeText, description: "OWNER/NAME of the repository."},
		{name: "pr_number", dataType: typeInt, description: "Number of the pull request."},
		{name: "comment_id", dataType: typeText, description: "c_N within the task."},
		{name: "author", dataType: typeText, description: "Who wrote the comment."},
		{name: "body", dataType: typeText, description: "Text of the comment."},
		{name: "path", dataType: typeText, description: "File that it is about."},
		{name: "side", dataType: typeText, description: "Side of the diff: LEFT or RIGHT."},
		{name: "line", dataType: typeInt, description: "Line in the diff; null where it has no place there."},
		{name: "is_in_diff", dataType: typeBool, description: "Whether that line was changed."},
		{name: "anchor", dataType: typeText, description: "How the line was found: exact, remapped, hunk, file or none."},
		{name: "severity", dataType: typeText, description: "From an explicit mark only."},
		{name: "is_blocking", dataType: typeBool, description: "From an explicit mark only."},
		{name: "code_state", dataType: typeText, description: "What became of the code between the comment and the merge."},
		{name: "addressed", dataType: typeBool, description: "Whether the code was changed after the comment."},
		{name: "standing", dataType: typeBool, description: "Whether the comment is about code that the diff shows."},
		{name: "validation", dataType: typeText, description: "What the author then did."},
		{name: "visible_in", dataType: typeText, description: "The configurations (A, B, C) whose diff shows the line.", repeated: true},
		{name: "difficulty", dataType: typeText, description: "Class of this comment."},
		{name: "url", dataType: typeURL, description: "The comment's page."},
		{name: "created_at", dataType: typeTime, description: "When it was written, UTC."},
	}
	source := croissantSource{FileObject: &croissantRef{idAnnotationTable}}
	return set("annotations", "One row a ground-truth comment.", fields, source, "task_id", "comment_id")
}

func contextSet() CroissantSet {
	fields := []fieldOf{
		{name: "task_id", dataType: typeText, description: "The task."},
		{name: "config", dataType: typeText, description: "config_A, config_B or config_C."},
		{name: "total_tokens", dataType: typeInt, description: "Tokens of the text."},
		{name: "rendered", dataType: typeText, description: "The text that a model reviews."},
	}
	source := croissantSource{FileObject: &croissantRef{idContextTable}}
	return set("contexts", "The frozen texts of each pull request.", fields, source, "task_id", "config")
}

func splitSet() CroissantSet {
	fields := []fieldOf{
		{name: "task_id", dataType: typeText, description: "The task."},
		{name: "split", dataType: typeText, description: "eval_100 or validated."},
		{name: "difficulty", dataType: typeText, description: "Difficulty of the task."},
	}
	source := croissantSource{FileObject: &croissantRef{idSplitTable}}
	return set("splits", "The lists of tasks to measure on.", fields, source, "task_id", "split")
}

func set(name, description string, fields []fieldOf, source croissantSource, keys ...string) CroissantSet {
	s := CroissantSet{Type: "cr:RecordSet", ID: name, Name: name, Description: description}
	for _, k := range keys {
		s.Key = append(s.Key, croissantRef{name + "/" + k})
	}
	for _, f := range fields {
		from := source
		from.Extract.Column = f.name
		s.Fields = append(s.Fields, CroissantField{
			Type: "cr:Field", ID: name + "/" + f.name, Name: f.name, Description: f.description,
			DataType: f.dataType, Repeated: f.repeated, Source: &from,
		})
	}
	return s
}
