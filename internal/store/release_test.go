package store

import (
	"fmt"
	"sync"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// Far more shards than stay open are used from several goroutines at once:
// nothing is lost, and in the end only a few files are open.
func TestFewShardsStayOpen(t *testing.T) {
	opts := DefaultOptions()
	opts.MaxOpen = 3
	s, err := Open(t.TempDir(), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range 60 {
				shard, err := s.Shard(model.RepoRef{Owner: "o", Name: fmt.Sprint("r", i%20)})
				if err != nil {
					t.Error(err)
					return
				}
				key := fmt.Sprint(worker, "/", i)
				if err := Put(shard, Pull, key, i); err != nil {
					t.Error(err)
				}
				if got, ok, err := Get[int](shard, Pull, key); err != nil || !ok || got != i {
					t.Errorf("%s: %d, %t, %v", key, got, ok, err)
				}
			}
		})
	}
	wait.Wait()
	open := 0
	for _, shard := range s.shards {
		if shard.isOpen() {
			open++
		}
	}
	if open > opts.MaxOpen+4 {
		t.Errorf("%d shards are open", open)
	}
}
