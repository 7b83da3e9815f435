package review

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/run"
)

func TestRepository_ListedTwice(t *testing.T) {
	ref := model.RepoRef{Owner: "new", Name: "name"}
	shards := []*Shard{
		{Asked: model.RepoRef{Owner: "old", Name: "name"}, Facts: &model.Repository{ID: 7, Ref: ref}, Items: []*pipeline.Trail{{}}},
		{Asked: ref, Facts: &model.Repository{ID: 7, Ref: ref}, Items: []*pipeline.Trail{{}}},
		{Asked: model.RepoRef{Owner: "other", Name: "name"}, Facts: &model.Repository{ID: 8}, Items: []*pipeline.Trail{{}}},
	}
	for _, sh := range shards {
		sh.Decide(verdict.StageRepositoryScore, verdict.Pass())
	}
	run.DropDuplicates(shards)
	if shards[0].Trail.Last().Code != verdict.DuplicateRepository || shards[0].Items != nil || shards[0].Name() != "old/name" {
		t.Errorf("the former name is %+v", shards[0].Trail)
	}
	if len(shards[1].Items) != 1 || len(shards[2].Items) != 1 {
		t.Error("another one was dropped")
	}
}
