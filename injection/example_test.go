package injection_test

import (
	"fmt"

	"github.com/prforge/prforge/injection"
)

// The faults that change a name, in a small file without other modules.
func ExampleTry() {
	s, err := injection.Read([]byte("def area(width, height):\n    product = width * height\n    print(\"area\")\n    return product\n"))
	if err != nil {
		panic(err)
	}
	for _, t := range injection.Try(s, nil) {
		if t.Fault != nil && t.Fault.Name != "" {
			fmt.Println(t.Kind, t.Line, t.Fault.Error, t.Fault.Name)
		}
	}
	// Output:
	// U1 2 NameError current_width
	// U1 2 NameError base_height
	// U1 4 NameError initial_product
	// U2 1 NameError width
	// U2 1 NameError height
	// U2 2 NameError product
	// U4 2 NameError product
}
