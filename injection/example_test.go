package injection_test

import (
	"fmt"

	"github.com/prforge/prforge/injection"
)

// The faults that change a name, in a small file without other modules.
func ExampleTry() {
	s, err := injection.Read([]byte("def area(box_width, height):\n    product = box_width * height\n    print(\"area\")\n    return product\n"))
	if err != nil {
		panic(err)
	}
	for _, t := range injection.Try(s, nil) {
		if t.Fault != nil && t.Fault.Name != "" {
			fmt.Println(t.Kind, t.Line, t.Fault.Error, t.Fault.Name)
		}
	}
	// Output:
	// U1 2 NameError width
	// U2 1 NameError box_width
	// U4 2 NameError product
}
