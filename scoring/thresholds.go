package scoring

// The thresholds of anchors, names and code states. The specification gives no number for them, and they are not
// options: "remapped" and "addressed" must mean the same in every dataset. docs/scores.md lists them.
const (
	// minAlike is the share of equal pairs of letters from which a line counts as an edit of another one; below it,
	// the code was rewritten.
	minAlike = 0.5

	// A run of lines is the commented code only if it is unmistakable: among similar positions, minNearRun equal
	// lines let the distance decide, and a run needs minLetters letters and digits, a single line minLineLetters, so
	// that a brace alone never matches. More than maxRun equal lines prove nothing more.
	minNearRun     = 3
	minLetters     = 8
	minLineLetters = 12
	maxRun         = 50

	// minTextLetters is how many letters and digits a line needs to be recognized in
	// a whole file.
	minTextLetters = 8

	// How far from the commented lines a change counts as near and as around them,
	// in lines. At 3 lines, precision and recall of "addressed" were both 93 % on 60
	// comments read by hand; at 10 lines precision fell to 90 % (docs/ground-truth.md).
	nearLines   = 3
	aroundLines = 10

	// minName is how long a name has to be, in characters: shorter ones mean too
	// much.
	minName = 4
)
