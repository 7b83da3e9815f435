package gitsource

// The modes of git's tree entries.
const (
	modeFile      = 0o100644
	modeSymlink   = 0o120000
	modeSubmodule = 0o160000
	modeTree      = 0o040000
)

// maxDepth bounds how deep folders lie in each other.
const maxDepth = 1000

// node is one entry of one tree object.
type node struct {
	name string
	mode uint32
	oid  string
}

// file is the node itself, or the zero node for a folder: a folder that replaces a file is a change of the file and
// one of each file in the folder.
func (n node) file() node {
	if n.mode == modeTree {
		return node{}
	}
	return n
}

// change is a path that differs between two trees; a zero node means that a side lacks it.
type change struct{ old, new node }

func (c change) came() bool { return c.old.oid == "" && c.new.oid != "" }

func (c change) went() bool { return c.old.oid != "" && c.new.oid == "" }
