package config

import "fmt"

// Error is a fault of a configuration file: where it is and what to do.
type Error struct {
	File    string
	Line    int    // 0 when the whole file is meant
	Key     string // dotted; "" for syntax errors
	Message string
}

// Error is "FILE:LINE: KEY: message".
func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, e.Line)
	}
	if e.Key != "" {
		return fmt.Sprintf("%s: %s: %s", at, e.Key, e.Message)
	}
	return fmt.Sprintf("%s: %s", at, e.Message)
}

// fault is an impossible value: the dotted key and what is wrong with it.
type fault struct{ key, message string }
