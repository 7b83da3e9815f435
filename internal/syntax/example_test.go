package syntax_test

import (
	"fmt"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/syntax"
)

func ExampleParse() {
	f := languages.Parse("shop/cart.py", []byte("class Cart:\n    def pay(self, by):\n        return by.charge(self.total())\n"), syntax.DefaultOptions())
	for _, d := range f.Definitions {
		fmt.Println(d.Qualified, d.Lines)
	}
	for _, c := range f.Calls {
		fmt.Println("calls", c.Name)
	}
	// Output:
	// Cart {1 3}
	// Cart.pay {2 3}
	// calls charge
	// calls total
}
