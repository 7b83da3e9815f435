package load_test

import (
	"fmt"

	"github.com/prforge/prforge/artifacts/load"
)

// A dataset is read record by record; a record's ground truth is in its annotation.
func ExampleOpen() {
	r, err := load.Open("../testdata/sample")
	if err != nil {
		panic(err)
	}
	for record, err := range r.Records() {
		if err != nil {
			panic(err)
		}
		a, err := r.Annotation(record.TaskID)
		if err != nil {
			panic(err)
		}
		fmt.Println(record.TaskID, record.Difficulty, len(a.SubstantiveCommentIDs))
	}
	// Output:
	// widget__1 Type1_Direct 2
	// widget__2 Type2_Contextual 2
	// gadget__3 Type3_Latent_Candidate 2
}
