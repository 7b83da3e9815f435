package github

import (
	"errors"
	"testing"

	"github.com/prforge/prforge/internal/ghapi"
)

// TestPartial_ByNode: an error belongs to the node that its path names; any other is
// about the whole answer.
func TestPartial_ByNode(t *testing.T) {
	for _, tc := range []struct {
		name string
		path []string
		node int // -1: the whole answer
	}{
		{"a node", []string{"nodes", "1"}, 1},
		{"a field of it", []string{"nodes", "0", "files"}, 0},
		{"one too many", []string{"nodes", "2"}, -1},
		{"no number", []string{"nodes", "edges"}, -1},
		{"all nodes", []string{"nodes"}, -1},
		{"something else", []string{"rateLimit", "1"}, -1},
		{"no path", nil, -1},
	} {
		found := &partial{errors: []ghapi.GraphQLError{{Message: "no", Path: tc.path}}}
		got, err := found.byNode(2)
		if tc.node < 0 && !errors.Is(err, ghapi.ErrResourceLimits) || tc.node >= 0 && (err != nil || len(got) != 1 || len(got[tc.node]) != 1) {
			t.Errorf("%s: %v, %v", tc.name, got, err)
		}
	}
}
