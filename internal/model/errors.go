package model

import "errors"

// ErrNotKept says that a commit has the file but its content was not collected: it is binary, over the size limit, or
// of no use to any stage.
var ErrNotKept = errors.New("content was not collected")
