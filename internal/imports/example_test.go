package imports_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
)

// tree is a snapshot in memory.
type tree map[string]string

func (t tree) Commit() string { return "0000000000000000000000000000000000000000" }

func (t tree) Entries() []model.TreeEntry {
	var out []model.TreeEntry
	for _, path := range slices.Sorted(maps.Keys(t)) {
		out = append(out, model.TreeEntry{Path: path, Mode: 0o100644, Oid: path, Size: int64(len(t[path]))})
	}
	return out
}

func (t tree) Read(path string) ([]byte, error) {
	text, ok := t[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

func ExampleBuild() {
	g := imports.Build(context.Background(), tree{
		"shop/price.py": "def total(items):\n    return sum(items)\n",
		"shop/cart.py":  "from shop.price import total\n\n\ndef pay(cart):\n    return total(cart)\n",
	}, imports.NewCache(1<<20), imports.DefaultOptions(languages.All()))
	for _, e := range g.Imports("shop/cart.py") {
		fmt.Println(e.From, "line", e.Line, "uses", e.Names, "of", e.To)
	}
	for _, c := range g.CallersOf("shop/price.py", "total") {
		fmt.Println("called in", c.Path, "by", c.Caller.Definition.Name)
	}
	// Output:
	// shop/cart.py line 1 uses [total] of shop/price.py
	// called in shop/cart.py by pay
}
