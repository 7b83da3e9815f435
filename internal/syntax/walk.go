package syntax

/*
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// What this file needs of tree-sitter's api.h, which a package outside of the
// binding cannot include. The binding links the functions; TestWalk compares
// every field of every node with the binding's own cursor, so that a change of
// these layouts cannot pass.
typedef struct TSTree TSTree;

typedef struct {
	uint32_t context[4];
	const void *id;
	const TSTree *tree;
} TSNode;

typedef struct {
	const void *tree;
	const void *id;
	uint32_t context[3];
} TSTreeCursor;

TSNode ts_tree_root_node(const TSTree *);
TSTreeCursor ts_tree_cursor_new(TSNode);
void ts_tree_cursor_delete(TSTreeCursor *);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
bool ts_tree_cursor_goto_parent(TSTreeCursor *);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
uint16_t ts_node_symbol(TSNode);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);
uint32_t ts_node_descendant_count(TSNode);
bool ts_node_has_error(TSNode);
bool ts_node_is_error(TSNode);
bool ts_node_is_missing(TSNode);

// walked is one node; parent, first and next are indices, -1 for none. Only a
// named one has a field: to find it takes as long as all the rest.
typedef struct {
	uint32_t from, to;
	int32_t parent, first, next;
	uint16_t symbol, field;
	bool has_error, is_error, is_missing;
} walked;

typedef struct {
	walked *nodes;
	int32_t count, room;
	bool flawed; // the tree has errors: without any, no node is asked for them
	const bool *named; // by symbol; ERROR's is beyond them
	uint32_t symbols;
} walk;

// append adds the cursor's node and gives its index, or -1 without memory.
static int32_t append(walk *w, const TSTreeCursor *cursor, int32_t parent) {
	if (w->count == w->room) {
		int32_t room = 2 * w->room;
		walked *nodes = realloc(w->nodes, (size_t)room * sizeof(walked));
		if (nodes == NULL) return -1;
		w->nodes = nodes;
		w->room = room;
	}
	TSNode n = ts_tree_cursor_current_node(cursor);
	uint16_t symbol = ts_node_symbol(n);
	w->nodes[w->count] = (walked){
		.from = ts_node_start_byte(n), .to = ts_node_end_byte(n),
		.parent = parent, .first = -1, .next = -1,
		.symbol = symbol,
	};
	if (symbol >= w->symbols || w->named[symbol]) w->nodes[w->count].field = ts_tree_cursor_current_field_id(cursor);
	if (w->flawed) {
		w->nodes[w->count].has_error = ts_node_has_error(n);
		w->nodes[w->count].is_error = ts_node_is_error(n);
		w->nodes[w->count].is_missing = ts_node_is_missing(n);
	}
	return w->count++;
}

// descend adds the nodes below the cursor's, which is node 0, in source order.
// It never recurses: depth is in the hands of strangers. False without memory.
static bool descend(walk *w, TSTreeCursor *cursor, const bool *leaves, int32_t max_depth) {
	int32_t at = 0, depth = 0;
	for (;;) {
		uint16_t symbol = w->nodes[at].symbol;
		if (depth < max_depth && !(symbol < w->symbols && leaves[symbol]) && ts_tree_cursor_goto_first_child(cursor)) {
			int32_t next = append(w, cursor, at);
			if (next < 0) return false;
			w->nodes[at].first = next;
			at = next;
			depth++;
			continue;
		}
		while (!ts_tree_cursor_goto_next_sibling(cursor)) {
			if (!ts_tree_cursor_goto_parent(cursor) || depth == 0) return true;
			at = w->nodes[at].parent;
			depth--;
		}
		int32_t next = append(w, cursor, w->nodes[at].parent);
		if (next < 0) return false;
		w->nodes[at].next = next;
		at = next;
	}
}

// walk_tree copies a tree, nothing below max_depth and below the symbols that
// are leaves. The caller frees the nodes; there are none without memory.
static walk walk_tree(const void *tree, const bool *leaves, const bool *named, uint32_t symbols, int32_t max_depth) {
	TSNode root = ts_tree_root_node(tree);
	walk w = {.room = (int32_t)ts_node_descendant_count(root) + 1, .flawed = ts_node_has_error(root), .named = named, .symbols = symbols};
	w.nodes = malloc((size_t)w.room * sizeof(walked));
	if (w.nodes == NULL) return w;
	TSTreeCursor cursor = ts_tree_cursor_new(root);
	append(&w, &cursor, -1);
	bool ok = descend(&w, &cursor, leaves, max_depth);
	ts_tree_cursor_delete(&cursor);
	w.named = NULL; // the caller's
	if (!ok) {
		free(w.nodes);
		w.nodes = NULL;
	}
	return w;
}
*/
import "C"

import (
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// walked is a node as the C library has it.
type walked = C.walked

// walk copies the nodes of a C tree that lie at most maxDepth deep, in source
// order, by one call into C: a call for every node costs more than parsing. It
// hands them to use, which must not keep them.
func walk(t *sitter.Tree, g *grammar, maxDepth int, use func([]walked)) {
	// The binding does not export its pointer to the C tree, the first field.
	tree := *(*unsafe.Pointer)(unsafe.Pointer(t.BaseTree))
	bools := func(list []bool) *C.bool { return (*C.bool)(unsafe.Pointer(unsafe.SliceData(list))) }
	w := C.walk_tree(tree, bools(g.leaves), bools(g.named), C.uint32_t(len(g.named)), C.int32_t(maxDepth))
	if w.nodes == nil {
		panic("syntax: out of memory")
	}
	defer C.free(unsafe.Pointer(w.nodes))
	use(unsafe.Slice(w.nodes, int(w.count)))
}
