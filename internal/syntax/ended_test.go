package syntax_test

import (
	"strings"
	"testing"

	"github.com/smacker/go-tree-sitter/ruby"

	"github.com/prforge/prforge/internal/syntax"
)

// ended is as much of a language whose bodies end with a word as this package asks for.
var ended = &syntax.Language{
	ID: "ended", Name: "Ended",
	Family: &syntax.Family{
		LineComment: "#", Indent: "  ", BodyEnd: "end", Tails: []string{"heredoc_body"},
		Lists: map[string]bool{"body_statement": false, "then": false, "else": false, "hash": false},
	},
	Grammar: syntax.NewGrammar(syntax.GrammarSpec{Source: ruby.GetLanguage, Extract: extractEnded, Strings: []string{"string"}}),
}

func extractEnded(b *syntax.Builder) { extractEndedBelow(b, b.Root(), -1) }

func extractEndedBelow(b *syntax.Builder, n syntax.Node, def int) {
	n.Each(func(c syntax.Node) {
		name, at := c.Child("name"), def
		switch {
		case c.Is("class", "method"):
			at = b.Define(syntax.Spec{Kind: syntax.Class, Name: name.Text(), Parent: def, Outer: c, Body: c, BodyFrom: name.To()})
			b.Test(at, syntax.RoleCase)
		case c.Is("assignment") && c.Child("left").Is("constant"):
			value := c.Child("right")
			at = b.Define(syntax.Spec{Kind: syntax.Constant, Name: c.Child("left").Text(), Parent: def, Outer: c, Body: value, BodyFrom: value.From() + 1})
		case c.Is("call") && c.Child("method").Text() == "assert":
			b.Assertion(def, c)
		}
		extractEndedBelow(b, c, at)
	})
}

const endedSource = `class Pool
  SIZES = {
    "small" => 1,
    "large" => 8,
  }

  def pay(order)
    prepare_everything_for_this_order_and_all_of_its_lines(order, 1, 2)
    execute <<~SQL
      select * from orders
    SQL
    total
    if order.open?
      count_the_order_and_everything_that_belongs_to_it_too(order, 1)
      assert CHANGED
    else
      give_up_and_tell_the_customer_about_it_in_a_letter_of_ours(order)
    end
    insert <<~SQL
      insert into orders
    SQL
    log "paid the order for the customer, at last", order
  end
end
`

// TestCompose_BodiesEndedByAWord: stubs, members and assertions keep the word, or
// the bracket, that ends a body.
func TestCompose_BodiesEndedByAWord(t *testing.T) {
	f := syntax.Parse(ended, "pool", []byte(endedSource), syntax.DefaultOptions())
	for _, c := range []struct {
		def  int
		form syntax.Form
		want string
	}{
		{0, syntax.Stub, "class Pool\n  # ...\nend\n"},
		{1, syntax.Stub, "class Pool\n  SIZES = {\n    # ...\n  }\n  # ...\nend\n"},
		{2, syntax.Stub, "class Pool\n  # ...\n  def pay\n    # ...\n  end\nend\n"},
		{2, syntax.Asserted, "class Pool\n  # ...\n  def pay\n    # ...\n    assert CHANGED\n  end\nend\n"},
	} {
		got := f.Compose([]byte(endedSource), syntax.Pick{Def: c.def, Form: c.form})
		if got != c.want || !syntax.Parses(ended, got) {
			t.Errorf("definition %d in form %d is\n%s, want\n%s", c.def, c.form, got, c.want)
		}
	}
}

// TestReduce_BodiesEndedByAWord: the text of a here-document is left out with the
// statement that begins it, and kept with it.
func TestReduce_BodiesEndedByAWord(t *testing.T) {
	src := []byte(endedSource)
	f, r := syntax.ParseReducer(ended, "pool", src, syntax.DefaultOptions())
	defer r.Close()
	line := 1 + strings.Count(endedSource[:strings.Index(endedSource, "CHANGED")], "\n")
	var got []string
	for _, reduction := range r.Reduce(2, []int{line}) {
		text := f.Compose(src, syntax.Pick{Def: 2, Form: syntax.Reduced, Reduction: reduction})
		if !syntax.Parses(ended, text) {
			t.Errorf("does not parse:\n%s", text)
		}
		got = append(got, text)
	}
	const narrow = `class Pool
  # ...
  def pay(order)
    # ...
    if order.open?
      # ...
      assert CHANGED
    else
      # ...
    end
    # ...
  end
end
`
	const wide = "    execute <<~SQL\n      select * from orders\n    SQL\n    total\n    if order.open?\n"
	if len(got) < 2 || got[0] != narrow || !strings.Contains(got[len(got)-1], wide) {
		t.Errorf("reductions are\n%s", strings.Join(got, "---\n"))
	}
}
