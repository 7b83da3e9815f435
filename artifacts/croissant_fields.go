package artifacts

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

// fieldOf is one field of a record set, taken from the values of its name.
type fieldOf struct {
	name, dataType, description string
	repeated                    bool
	path                        string // JSON path below the file; "" for a column of its name
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
		{name: "task_id", dataType: typeText, description: "The task.", path: "$.task_id"},
		{name: "comment_id", dataType: typeText, description: "c_N within the task.", path: "$.comments[*].comment_id", repeated: true},
		{name: "body", dataType: typeText, description: "Text of the comment.", path: "$.comments[*].body", repeated: true},
		{name: "file", dataType: typeText, description: "File that it is about.", path: "$.comments[*].file", repeated: true},
		{name: "line", dataType: typeInt, description: "Line in the final diff.", path: "$.comments[*].line", repeated: true},
		{name: "is_in_diff", dataType: typeBool, description: "Whether that line was changed.", path: "$.comments[*].is_in_diff", repeated: true},
	}
	source := croissantSource{FileSet: &croissantRef{idAnnotations}}
	return set("annotations", "The ground-truth comments of each pull request.", fields, source, "task_id")
}

func contextSet() CroissantSet {
	fields := []fieldOf{
		{name: "task_id", dataType: typeText, description: "The task.", path: "$.task_id"},
		{name: "config_name", dataType: typeText, description: "config_A, config_B or config_C.", path: "$.config_name"},
		{name: "total_tokens", dataType: typeInt, description: "Tokens of the text.", path: "$.total_tokens"},
		{name: "rendered", dataType: typeText, description: "The text that a model reviews.", path: "$.rendered"},
	}
	source := croissantSource{FileSet: &croissantRef{idContexts}}
	return set("contexts", "The frozen texts of each pull request.", fields, source, "task_id", "config_name")
}

func set(name, description string, fields []fieldOf, source croissantSource, keys ...string) CroissantSet {
	s := CroissantSet{Type: "cr:RecordSet", ID: name, Name: name, Description: description}
	for _, k := range keys {
		s.Key = append(s.Key, croissantRef{name + "/" + k})
	}
	for _, f := range fields {
		from := source
		if from.Extract.JSONPath = f.path; f.path == "" {
			from.Extract.Column = f.name
		}
		s.Fields = append(s.Fields, CroissantField{
			Type: "cr:Field", ID: name + "/" + f.name, Name: f.name, Description: f.description,
			DataType: f.dataType, Repeated: f.repeated, Source: &from,
		})
	}
	return s
}
