package python

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/model"
)

//go:embed behave.py
var behave string

// behaveVersion is part of the key of behaviors: raise it when behave.py changes its answers.
const behaveVersion = 1

// Edited is a source after an edit; the edit's first line is given, from 1.
type Edited struct {
	Code []byte `json:"code"`
	Line int    `json:"line"`
}

// Behaviors reports for each edited source whether a call of the function around the edit distinguishes it from the
// original. If the process ends or takes too long, that is not an error: the result is unknown for all.
func (s *Sandbox) Behaviors(ctx context.Context, original []byte, edited []Edited) ([]model.Behavior, error) {
	p, err := s.start(ctx, behave, 0)
	if err != nil {
		return nil, err
	}
	defer p.close()
	var answer struct {
		Results []model.Behavior `json:"results"`
	}
	err = p.ask(ctx, map[string]any{"code": original, "edited": edited, "memory": s.opts.Limits.Memory}, &answer)
	switch limit := (*limitError)(nil); {
	case errors.As(err, &limit), errors.Is(err, errEnded):
		answer.Results = make([]model.Behavior, len(edited))
		for i := range answer.Results {
			answer.Results[i].Code = "not_finished"
		}
	case err != nil:
		return nil, err
	case len(answer.Results) != len(edited):
		return nil, fmt.Errorf("%d answers about %d edits", len(answer.Results), len(edited))
	}
	return answer.Results, nil
}

// BehaviorsKey is the key of the behaviors of edited sources.
func BehaviorsKey(original []byte, edited []Edited) (string, error) {
	return digestOf(map[string]any{"version": behaveVersion, "code": digest.Bytes(original), "edited": edited})
}
