package model

import "errors"

// ErrNotKept says that a file exists at a commit but that its content was not
// collected: it is binary, over the size limit, or of no use to any stage.
var ErrNotKept = errors.New("content was not collected")
