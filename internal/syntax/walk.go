package syntax

/*
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// What this file needs of tree-sitter, which a package outside of the binding
// cannot include: two functions of api.h, which the binding links, and the
// layouts of parser.h and subtree.h. The walk reads the tree itself, since
// tree-sitter's cursor takes a sixth of the time of parsing. TestWalk compares
// every field of every node with that cursor, so that a change of these layouts
// cannot pass.
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "tree-sitter's small nodes have another layout on big-endian machines"
#endif

typedef struct {
	uint16_t field;
	uint8_t child;
	bool inherited;
} field_entry;

typedef struct {
	uint16_t index, length;
} field_slice;

typedef struct { // TSLanguage
	uint32_t version, symbol_count, alias_count, token_count, external_token_count, state_count, large_state_count, production_count, field_count;
	uint16_t max_alias_length;
	const void *tables[6];
	const field_slice *field_slices; // by production
	const field_entry *field_entries;
	const void *symbol_metadata;
	const uint16_t *public_symbols;
	const void *alias_map;
	const uint16_t *aliases; // by production and child
} language;

typedef struct {
	uint32_t bytes, row, column;
} length;

typedef struct { // SubtreeHeapData
	uint32_t ref_count;
	length padding, size;
	uint32_t lookahead, error_cost, child_count; // the children lie before this
	uint16_t symbol, parse_state;
	bool visible : 1, named : 1, extra : 1, fragile_left : 1, fragile_right : 1, has_changes : 1, has_external : 1,
		external_change : 1, depends_on_column : 1, missing : 1, keyword : 1;
	uint32_t visible_children, named_children, visible_descendants; // of a node with children, like what follows
	int32_t precedence;
	uint16_t repeat_depth, production;
} big_node;

typedef union { // Subtree
	struct {
		bool is_small : 1, visible : 1, named : 1, extra : 1, has_changes : 1, missing : 1, keyword : 1;
		uint8_t symbol;
		uint16_t parse_state;
		uint8_t padding_columns, padding_rows : 4, lookahead : 4, padding, size;
	} small;
	const big_node *big;
} subtree;

typedef struct {
	uint32_t context[4];
	const subtree *id;
	const void *tree;
} TSNode;

TSNode ts_tree_root_node(const void *);
const language *ts_tree_language(const void *);

#define ERROR_SYMBOL UINT16_MAX
#define OF_BYTES(t, name) ((t)->small.is_small ? (t)->small.name : (t)->big->name.bytes)

// node is one node, laid out as in Go; parent, first and next are indices, -1 for
// none.
typedef struct {
	uint32_t from, to;
	int32_t parent, first, next;
	uint16_t symbol, field; // of the grammar; only a named one has a field
	bool named, broken;
} node;

// level is a node whose children are visited. A hidden one's are its parent's.
typedef struct {
	const subtree *next, *end; // the children that are left
	uint32_t at; // where the child before ended
	uint16_t child; // of the production, the next one
	uint16_t field; // of a hidden one
	const uint16_t *aliases;
	const field_entry *fields, *fields_end;
	int32_t parent, depth; // of the children
	int32_t *link; // where the index of the next child belongs
	bool hidden;
} level;

// roles of symbols
enum { NAMED = 1, WANTED = 2, LEAF = 4 };

typedef struct {
	int32_t count;
	uint32_t errors, lost; // ERROR and MISSING nodes; bytes inside outermost ERROR nodes
} walked;

typedef struct {
	const language *lang;
	node *nodes;
	int32_t max_count, max_depth;
	const uint8_t *roles; // by symbol; ERROR's is beyond them
	uint32_t symbols;
	level *levels;
	int32_t top, room;
	walked done;
} walker;

static uint16_t field_of(const level *l, uint16_t child) {
	for (const field_entry *e = l->fields; e < l->fields_end; e++)
		if (e->child == child && !e->inherited) return e->field;
	return l->field;
}

// enter makes the children of a node the next that are visited, with what they are
// to the node around them. False without memory.
static bool enter(walker *w, const big_node *n, uint32_t from, level l) {
	if (w->top == w->room) {
		int32_t room = 2 * w->room + 64;
		level *levels = realloc(w->levels, (size_t)room * sizeof(level));
		if (levels == NULL) return false;
		w->levels = levels;
		w->room = room;
	}
	l.end = (const subtree *)n;
	l.next = l.end - n->child_count;
	l.at = from - OF_BYTES(l.next, padding);
	if (n->production) {
		l.aliases = &w->lang->aliases[n->production * w->lang->max_alias_length];
		field_slice s = w->lang->field_slices[n->production];
		l.fields = &w->lang->field_entries[s.index];
		l.fields_end = l.fields + s.length;
	}
	w->levels[w->top++] = l;
	return true;
}

// visit copies the next node of a level if it is wanted, and enters it. It is false
// if there is no memory.
static bool visit(walker *w, level *l) {
	const subtree *t = l->next++;
	const big_node *big = t->small.is_small ? NULL : t->big;
	uint32_t from, to;
	uint16_t symbol, alias = 0, child = l->child;
	bool extra, visible, missing, inner = false;
	if (big == NULL) {
		from = l->at + t->small.padding;
		to = from + t->small.size;
		symbol = t->small.symbol;
		extra = t->small.extra;
		visible = t->small.visible;
		missing = t->small.missing;
	} else {
		from = l->at + big->padding.bytes;
		to = from + big->size.bytes;
		symbol = big->symbol;
		extra = big->extra;
		visible = big->visible;
		missing = big->missing;
		inner = big->child_count > 0 && big->visible_children > 0;
	}
	l->at = to;
	if (!extra) {
		l->child++;
		if (l->aliases) alias = l->aliases[child];
	}
	if (!alias && !visible) {
		return !inner || enter(w, big, from, (level){.field = extra ? 0 : field_of(l, child), .parent = l->parent, .depth = l->depth, .link = l->link, .hidden = true});
	}
	if (alias) symbol = alias;
	bool error = symbol == ERROR_SYMBOL;
	if (!error) symbol = w->lang->public_symbols[symbol];
	w->done.errors += error || missing;
	if (error && (l->parent < 0 || w->nodes[l->parent].symbol != ERROR_SYMBOL)) w->done.lost += to - from;
	uint8_t role = symbol < w->symbols ? w->roles[symbol] : NAMED | WANTED;
	if (!(role & WANTED) && !inner) return true;

	if (w->done.count == w->max_count) return false;
	int32_t i = w->done.count++;
	node *n = &w->nodes[i];
	*n = (node){
		.from = from, .to = to, .parent = l->parent, .first = -1, .next = -1, .symbol = symbol, .field = role & NAMED && !extra ? field_of(l, child) : 0,
		.named = role & NAMED, .broken = error || missing || (big && big->error_cost > 0),
	};
	*l->link = i;
	l->link = &n->next;
	if (!inner || role & LEAF || l->depth == w->max_depth) return true;
	return enter(w, big, from, (level){.parent = i, .depth = l->depth + 1, .link = &n->first});
}

// descend visits all levels. It does not recurse, because strangers decide on the
// depth. It is false if there is no memory.
static bool descend(walker *w) {
	while (w->top > 0) {
		level *l = &w->levels[w->top - 1];
		if (l->next < l->end) {
			if (!visit(w, l)) return false;
			continue;
		}
		if (l->hidden) l[-1].link = l->link;
		w->top--;
	}
	return true;
}

// count_nodes is how many nodes a tree has at most.
static uint32_t count_nodes(const void *tree) {
	const subtree *t = ts_tree_root_node(tree).id;
	return 1 + (t->small.is_small || t->big->child_count == 0 ? 0 : t->big->visible_descendants);
}

// walk_tree copies a tree into room for max_count nodes. The count is -1 without
// memory.
static walked walk_tree(const void *tree, node *nodes, int32_t max_count, int32_t max_depth, const uint8_t *roles, uint32_t symbols) {
	walker w = {.lang = ts_tree_language(tree), .nodes = nodes, .max_count = max_count, .max_depth = max_depth, .roles = roles, .symbols = symbols};
	int32_t root;
	const subtree *t = ts_tree_root_node(tree).id;
	w.levels = malloc(sizeof(level));
	if (w.levels == NULL) return (walked){.count = -1};
	w.levels[w.top++] = (level){.next = t, .end = t + 1, .parent = -1, .link = &root};
	w.room = w.top;
	if (!descend(&w)) w.done.count = -1;
	free(w.levels);
	return w.done;
}
*/
import "C"

import (
	"slices"
	"sync"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// idle holds the nodes of trees that were given back.
var idle sync.Pool

// copyTree copies a tree of the C library by one call: a call for every node
// costs more than parsing. Nothing below maxDepth is copied.
func copyTree(c *sitter.Tree, g *grammar, src []byte, maxDepth int) *tree {
	t := &tree{g: g, src: src, lines: lineStarts(src)}
	if used, ok := idle.Get().(*[]node); ok {
		t.nodes = (*used)[:0]
	}
	// The binding does not export its pointer to the C tree, the first field.
	from := *(*unsafe.Pointer)(unsafe.Pointer(c.BaseTree))
	room := int(C.count_nodes(from))
	t.nodes = slices.Grow(t.nodes, room)[:room]
	roles := (*C.uint8_t)(unsafe.SliceData(g.roles))
	w := C.walk_tree(from, (*C.node)(unsafe.Pointer(unsafe.SliceData(t.nodes))), C.int32_t(room), C.int32_t(maxDepth),
		roles, C.uint32_t(len(g.roles)))
	if w.count < 0 {
		panic("syntax: out of memory")
	}
	t.nodes, t.errors, t.lost = t.nodes[:w.count], int(w.errors), uint32(w.lost)
	return t
}

// giveBack makes the nodes free for a later tree. This one must not be used again.
func (t *tree) giveBack() { idle.Put(&t.nodes) }

// The roles of symbols.
const (
	named  = uint8(C.NAMED)
	wanted = uint8(C.WANTED) // copied even without children
	leaf   = uint8(C.LEAF)   // what is below is not copied
)
