package model

// DiffSource says where a diff came from.
type DiffSource string

// Where a diff can come from.
const (
	DiffFromREST DiffSource = "rest" // GitHub's own unified diff
	DiffFromGit  DiffSource = "git"  // git diff of fork point and head, where GitHub refuses
)

// Diff is the full unified diff of a pull request, byte for byte.
type Diff struct {
	HeadOid string     `json:"head_oid"`
	Source  DiffSource `json:"source"`
	Why     string     `json:"why,omitempty"` // why REST would not do, for DiffFromGit
	Text    string     `json:"text"`          // raw bytes; may hold invalid UTF-8
}

// Base is git's facts about where a pull request began.
type Base struct {
	// ForkPoint is the commit that the diff is against; "" if none could be
	// verified, with the reason in Problem.
	ForkPoint string `json:"fork_point"`
	// Method says how it was found: merge-base of mergeCommit's first parent,
	// of the squash commit, or by compare (facts: "baseRefOid is not the merge
	// base").
	Method string `json:"method"`
	// Verified is true when the diff's blob ids match the fork point's tree.
	Verified bool   `json:"verified"`
	Problem  string `json:"problem,omitempty"`
	// Missing lists changed files whose old content was unavailable.
	Missing []string `json:"missing,omitempty"`
}

// TreeEntry is a file of a commit's tree.
type TreeEntry struct {
	Path string `json:"path"` // slash separated, as git has it
	Mode uint32 `json:"mode"` // 0o100644, 0o100755, 0o120000 (symlink), 0o160000 (submodule)
	Oid  string `json:"oid"`
	Size int64  `json:"size"` // bytes; -1 if unknown
}

// Snapshot reads the collected tree of one commit. It needs no network. Implementations are safe for concurrent use.
type Snapshot interface {
	// Commit is the commit's full SHA-1.
	Commit() string
	// Entries lists every file of the tree, by path.
	Entries() []TreeEntry
	// Read returns a file's bytes. The error is fs.ErrNotExist where the tree
	// has no such file and ErrNotKept where its content was not collected
	// (binary, vendored, or over the size limit).
	Read(path string) ([]byte, error)
}

// RevisionDiff maps lines from a commented commit to the pull request's final head: the unified diff of the two,
// limited to the commented paths. If git has lost the original commit, Problem is set and there is no text; anchors
// then come from the diff hunk.
type RevisionDiff struct {
	From string `json:"from"` // a comment's OriginalOid, or its fork point
	To   string `json:"to"`   // PullRequest.HeadOid, or its fork point
	// ForkPoint is where From left the base branch; "" if that is not known, or
	// for the diff of two fork points.
	ForkPoint string   `json:"fork_point,omitempty"`
	Paths     []string `json:"paths"`
	Text      string   `json:"text"`
	Problem   string   `json:"problem,omitempty"`
}
