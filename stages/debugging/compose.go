package debugging

import (
	"context"
	"fmt"
	"slices"
	"strings"

	scripts "github.com/prforge/prforge/injection/debugging"
	"github.com/prforge/prforge/internal/verdict"
)

// compose puts several samples' faults of a script together and proves each
// composition by peeling.
func (b *openBuild) compose(ctx context.Context, it *scriptItem) (verdict.Verdict, error) {
	var faults []*fault
	var members []scripts.Member
	for _, f := range it.faults {
		if f.name != "" {
			faults, members = append(faults, f), append(members, f.member())
		}
	}
	c := b.Config.Compose
	wanted := map[int]int{2: c.Two, 3: c.Three, 4: c.Four, scripts.MaxFaults: c.More}
	for _, size := range []int{2, 3, 4, 8, 7, 6, 5} {
		if size > 4 { // what eight do not give is left to fewer
			wanted[size] = wanted[scripts.MaxFaults]
		}
		o := scripts.ComposeOptions{Seed: b.Config.Plan.Seed, Sizes: wanted, Tries: c.Tries}
		made, err := b.composeOf(ctx, it, faults, scripts.Compositions(members, size, o), wanted[size])
		if err != nil {
			return verdict.Verdict{}, err
		}
		if size > 4 {
			wanted[scripts.MaxFaults] -= made
		}
	}
	named := 0
	for _, c := range it.composed {
		if c.Alive() {
			named++
			c.name = fmt.Sprintf("m%d", named)
		}
	}
	b.Progress.Done(it.source.ID, fmt.Sprintf("%d compositions", named))
	return verdict.Pass(), nil
}

// composeOf tries compositions until so many hold, and gives how many do.
func (b *openBuild) composeOf(ctx context.Context, it *scriptItem, faults []*fault, picks [][]int,
	wanted int) (made int, err error) {
	for _, pick := range picks {
		if made == wanted {
			break
		}
		group := make([]*fault, len(pick))
		for i, j := range pick {
			group[i] = faults[j]
		}
		ok, err := b.tryComposition(ctx, it, group)
		if err != nil {
			return made, err
		}
		if ok {
			made++
		}
	}
	return made, nil
}

// tryComposition decides about one composition.
func (b *openBuild) tryComposition(ctx context.Context, it *scriptItem, group []*fault) (bool, error) {
	var names []string
	for _, f := range group {
		names = append(names, f.name)
	}
	c := &composition{Trail: it.trail(it.source.ID + "/" + strings.Join(names, "+"))}
	it.composed = append(it.composed, c)
	v := scripts.Together(memberList(group))
	c.Decide(verdict.StageCompose, v)
	if v.Outcome != verdict.OutcomePass {
		return false, nil
	}
	v, err := b.peel(ctx, it, c, group)
	if err != nil {
		return false, err
	}
	c.Decide(verdict.StagePeel, v)
	return c.Alive(), nil
}

// peel runs a composition, undoes the fault that shows, and goes on until none
// is left. The composition itself is what a model sees, so it is run from the
// start with every seed.
func (b *openBuild) peel(ctx context.Context, it *scriptItem, c *composition, group []*fault) (verdict.Verdict, error) {
	left := slices.Clone(group)
	for len(left) > 0 {
		code, err := it.script.ApplyAll(memberList(left))
		if err != nil {
			return verdict.Verdict{}, err
		}
		seeds, warm := searchSeeds, b.warm(it, left...)
		if c.code == nil {
			seeds, warm = b.Config.Seeds, nil
		}
		trial, err := b.runs.Run(ctx, it.job(code, seeds, warm))
		if err != nil {
			return verdict.Verdict{}, err
		}
		i, v := scripts.Shows(memberList(left), trial.Agrees, trial.Record)
		if v.Outcome != verdict.OutcomePass {
			return v, nil
		}
		if c.code == nil {
			c.code, c.run = code, trial.Record
		}
		c.steps = append(c.steps, peelStep{shows: left[i], code: code, effect: left[i].label.Effect.First,
			kind: left[i].label.Type})
		c.members = append(c.members, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return verdict.Pass(), nil
}

func memberList(faults []*fault) []scripts.Member {
	out := make([]scripts.Member, len(faults))
	for i, f := range faults {
		out[i] = f.member()
	}
	return out
}
