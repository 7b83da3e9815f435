package syntax

import "time"

// Options bound what is given to the grammars. All limits are inclusive.
type Options struct {
	// MaxBytes is the largest source, after normalisation. Larger ones degrade.
	MaxBytes int
	// MaxLineBytes is the longest line; a longer one marks a minified or
	// generated file, which degrades.
	MaxLineBytes int
	// MaxNesting is the deepest nesting of brackets and braces, counted on the
	// raw bytes before the C parser sees them. Deeper files degrade.
	MaxNesting int
	// MaxDepth is the tree depth below which nothing is looked at. It does not
	// degrade a file: long chains of operators are deep and harmless.
	MaxDepth int
	// MaxErrorShare is the share of the source, in [0, 1], that may lie in parts
	// which the grammar does not understand.
	MaxErrorShare float64
	// MaxDefinitions is the largest number of definitions; a file with more is
	// data, and degrades.
	MaxDefinitions int
	// TimeLimit stops the C parser. It is a last resort, far above the time of any
	// input seen, so that results do not depend on the clock.
	TimeLimit time.Duration
	// WindowLines is the height of a line window.
	WindowLines int
}

// DefaultOptions are the limits that fit sources written by people.
func DefaultOptions() Options {
	return Options{
		MaxBytes:       1 << 20,
		MaxLineBytes:   20_000,
		MaxNesting:     1_000,
		MaxDepth:       1_000,
		MaxErrorShare:  0.2,
		MaxDefinitions: 20_000,
		TimeLimit:      10 * time.Second,
		WindowLines:    40,
	}
}
