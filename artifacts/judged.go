package artifacts

// Judged are the judgements of people and models that a dataset was built with.
type Judged struct {
	Text      []byte // FileLabels, as it was read
	Lines     int
	Seen      int // comments of them that were looked at
	Agreement []Agreement
}

// Agreement measures how far two raters agree on which comments are ground truth.
type Agreement struct {
	A, B     string
	Comments int    // that both judged
	Observed *Float // share of equal answers; nil where there are none
	Kappa    *Float // Cohen's; nil where it is undefined
}
