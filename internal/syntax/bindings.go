package syntax

import "strings"

// Bind records a local name.
func (b *Builder) Bind(def int, name, kind string) {
	if def >= 0 && name != "" {
		b.bindings = append(b.bindings, binding{def, b.Intern(name), b.Intern(kind)})
		if kind != "" {
			b.known[boundIn{def, name}] = kind
		}
	}
}

// finish resolves what needs the whole file: which calls and uses are of local names, and what is visible from
// outside.
func (b *Builder) finish() {
	for _, v := range b.bindings {
		k := boundIn{v.def, v.name}
		if old, ok := b.bound[k]; ok && old != v.kind {
			b.bound[k] = ""
			continue
		}
		b.bound[k] = v.kind
	}
	for i := range b.calls {
		b.settleCall(&b.calls[i])
	}
	b.Calls = append([]Call(nil), b.calls...)
	b.Locals = b.typed()
	for _, u := range b.uses {
		name, _, _ := strings.Cut(u.Receiver, ".")
		if name != "" {
			_, u.Local = b.lookup(u.def, name)
		}
		key := Use{Name: u.Name, Receiver: u.Receiver, Local: u.Local}
		if !b.allUses[key] {
			b.allUses[key] = true
			b.used = append(b.used, u.Use)
		}
	}
	b.Uses = append([]Use(nil), b.used...)
	b.mergeStatements()
	for i := range b.Definitions {
		d := &b.Definitions[i]
		if d.Parent >= 0 && !b.Definitions[d.Parent].Exported {
			d.Exported = false
		}
	}
}

// typed lists the names of one type, each once.
func (b *Builder) typed() []Local {
	var out []Local
	seen := map[boundIn]bool{}
	for _, v := range b.bindings {
		k := boundIn{v.def, v.name}
		if kind := b.bound[k]; kind != "" && !seen[k] {
			seen[k] = true
			out = append(out, Local{Def: v.def, Name: v.name, Type: kind})
		}
	}
	return out
}

// mergeStatements makes one of statements that share a line: spans are whole
// lines.
func (b *Builder) mergeStatements() {
	out := b.Statements[:0]
	for _, s := range b.Statements {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	b.Statements = out
}

// settleCall says whether a call is of a local name and of what type that is.
func (b *Builder) settleCall(c *Call) {
	name := c.Name
	if c.Receiver != "" {
		name, _, _ = strings.Cut(c.Receiver, ".")
	} else if b.Language.ImplicitThis {
		return // methods and variables have names of their own
	}
	if kind, ok := b.lookup(c.Def, name); ok {
		c.Local = true
		if c.Receiver != "" {
			c.Type = kind
		}
	}
	field, ok := SelfField(c.Receiver)
	for def := c.Def; ok && def >= 0 && c.Type == ""; def = b.Definitions[def].Parent {
		c.Type = b.bound[boundIn{def, field}]
		c.Local = c.Local || c.Type != ""
	}
}

// lookup finds the binding of a name that is seen from inside a definition. The
// fields of a class are seen without "this" where Family.ImplicitThis says so.
func (b *Builder) lookup(def int, name string) (string, bool) {
	for ; def >= 0; def = b.Definitions[def].Parent {
		if k := b.Definitions[def].Kind; !b.Language.ImplicitThis && (k == Class || k == Interface) {
			continue
		}
		if kind, ok := b.bound[boundIn{def, name}]; ok {
			return kind, true
		}
	}
	return "", false
}

// BindField records the type of a field of the class around a definition, for
// calls on this.name or self.name. The type of value, a parameter's name, is
// known when it was bound before.
func (b *Builder) BindField(def int, name, kind, value string) {
	if kind == "" && value != "" {
		kind = b.known[boundIn{def, value}]
	}
	for ; def >= 0; def = b.Definitions[def].Parent {
		if b.Definitions[def].Kind == Class {
			b.Bind(def, name, kind)
			return
		}
	}
}

// SelfField is the field that a receiver such as "this.loop" or "self.loop.x"
// begins with.
func SelfField(receiver string) (string, bool) {
	object, rest, ok := strings.Cut(receiver, ".")
	field, _, _ := strings.Cut(rest, ".")
	return field, ok && (object == "this" || object == "self")
}
