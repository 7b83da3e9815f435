package store

import "github.com/prforge/prforge/internal/model"

// File is an entry of a commit's tree with whether its content is stored. The tree records this itself: a blob stored
// for one commit must not appear in another that omits it.
type File struct {
	model.TreeEntry
	Kept bool
}

// listed is one file of a Listing record. A name that is not UTF-8 is kept as
// bytes.
type listed struct {
	Name  string `json:"name,omitempty"`
	Bytes []byte `json:"name_base64,omitempty"`
	Mode  uint32 `json:"mode"`
	Oid   string `json:"oid"`
	Size  int64  `json:"size"`
	Kept  bool   `json:"kept,omitempty"`
}

func (e listed) name() string { return e.Name + string(e.Bytes) }

// folder points a tree at one of its listings.
type folder struct {
	Path    string `json:"path,omitempty"` // "" is the root
	Bytes   []byte `json:"path_base64,omitempty"`
	Listing string `json:"listing"`
}

func (f folder) path() string { return f.Path + string(f.Bytes) }
