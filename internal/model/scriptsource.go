package model

// ScriptSource is a script as it was found, with the files that it reads: what
// a debugging dataset is made from.
type ScriptSource struct {
	ID       string `json:"id"`
	Repo     string `json:"repo"` // OWNER/NAME; "" for none
	Commit   string `json:"commit"`
	Path     string `json:"path"`
	License  string `json:"license"` // an SPDX identifier; "" where none is known
	PRNumber *int   `json:"pr_number"`
	// of the pull request or the notebook: what it is for, where the script does not say
	Title    string       `json:"title,omitempty"`
	Code     []byte       `json:"code"`
	Inputs   []ScriptFile `json:"inputs"`
	TooLarge []string     `json:"too_large,omitempty"` // paths of files beside it that were over the bound
}

// ScriptFile is a file beside a script.
type ScriptFile struct {
	Path    string `json:"path"` // slash path, relative to the script's folder
	Content []byte `json:"content"`
}
