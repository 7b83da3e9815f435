package unidiff_test

import (
	"fmt"

	"github.com/prforge/prforge/internal/unidiff"
)

func ExampleParse() {
	diff, err := unidiff.Parse("diff --git a/hello.go b/hello.go\n--- a/hello.go\n+++ b/hello.go\n@@ -1,2 +1,2 @@\n package main\n-// old\n+// new\n")
	if err != nil {
		panic(err)
	}
	for _, file := range diff.Files {
		fmt.Println(file.Path(), file.AddedLines, file.DeletedLines, file.Hunks[0].NewStart)
	}
	// Output: hello.go 1 1 1
}
