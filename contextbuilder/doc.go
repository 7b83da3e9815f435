// Package contextbuilder makes the three frozen texts of a pull request that
// reviewers under test read (spec section 9): A holds the task, a summary, the
// diff and metadata; B adds the code around the change and what configures it;
// C adds the signatures of its tests.
//
// A text is a pure function of Input and Options. Input has no field for reviews, labels, scores or dates, so these
// cannot enter the texts. Nothing is cut in the middle: every fragment is whole or left out, and unused room flows on
// to the next.
//
// A layer is a file, but for layer 6, which is beside layer 0; of layer 3,
// enclosing.go holds the changed code itself and callers.go who uses it.
// budget.go shares the room out, render.go knows the published form, change.go
// what is known of each changed file, hunks.go how hunks are split, and
// excerpt.go how pieces of source files are shown.
package contextbuilder
