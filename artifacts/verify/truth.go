package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
)

// truth checks the ground truth of a task.
func (c *checker) truth(t *task) {
	a, r := t.note, t.record
	if a == nil {
		return
	}
	n := len(a.Comments)
	c.Check(CountMismatch, r.NumSubstantiveComments == n && a.SubstantiveCommentCount == n &&
		len(a.SubstantiveCommentIDs) == n &&
		a.TotalCommentCount == len(r.HumanReviewComments) && a.HasRequestedChanges == r.HasRequestedChanges,
		"%s: %d in the record, %d and %d ids in the annotation, %d comments; %d of %d in all", t.id,
		r.NumSubstantiveComments, a.SubstantiveCommentCount, len(a.SubstantiveCommentIDs), n, a.TotalCommentCount,
		len(r.HumanReviewComments))
	c.Check(TooFewComments, n >= c.m.Parameters.MinSubstantiveComments, "%s: %d", t.id, n)
	var wanted []artifacts.AnnotationComment
	marked := false
	for i, k := range a.Comments {
		id := fmt.Sprintf("c_%d", i+1)
		c.Check(CommentIDs, k.CommentID == id && i < len(a.SubstantiveCommentIDs) && a.SubstantiveCommentIDs[i] == id,
			"%s: %s", t.id, k.CommentID)
		c.Check(NotThreadStart, k.IsInitiatingComment && !k.IsReply && k.ReplyTo == nil, "%s %s", t.id, k.CommentID)
		marked = marked || k.Severity != nil
		if k.RequiresChange {
			wanted = append(wanted, k)
		}
	}
	c.Check(RequestedChanges, a.RequestedChangeCount == len(wanted) && a.ChangesRequired == (len(wanted) > 0) &&
		a.HasSeverityAnnotations == marked &&
		(len(wanted) == 0 && len(a.RequestedChanges) == 0 || cmp.Equal(wanted, a.RequestedChanges)), "%s: %d of %d", t.id,
		len(a.RequestedChanges), len(wanted))
	if t.evidence != nil {
		c.labeled(t)
	}
}

// labeled checks the annotation against the evidence, comment by comment.
func (c *checker) labeled(t *task) {
	byID := map[string]*artifacts.EvidenceComment{}
	truths, validated := 0, 0
	for i := range t.evidence.Comments {
		e := &t.evidence.Comments[i]
		at := fmt.Sprintf("%s: comment %d", t.id, e.DatabaseID)
		c.Check(CommentIDs, (e.CommentID != nil) == e.GroundTruth, "%s", at)
		c.Check(ReasonMissing, e.GroundTruth == (e.Reason == nil), "%s", at)
		if e.CommentID != nil {
			byID[*e.CommentID] = e
		}
		if e.GroundTruth {
			truths++
			c.author(t, e, at)
			if e.Validated() {
				validated++
			}
		}
		c.state(t, e, at)
		c.people(e, at)
		if t.diff != nil {
			truth := e.Line != nil && t.diff.touches(e.Path, e.Side, *e.Line)
			c.Check(IsInDiff, e.IsInDiff == truth, "%s: %s:%s %s is %v", at, e.Path, lineOf(e.Line), e.Side, e.IsInDiff)
		}
	}
	if validated >= max(1, c.m.Parameters.MinValidated) {
		c.validated = append(c.validated, t.id)
	}
	for _, k := range artifacts.ShortComments(t.evidence) {
		if line, err := artifacts.CanonicalLine(k); err == nil {
			c.short = append(c.short, line...)
		}
	}
	c.Check(CommentIDs, len(byID) == truths, "%s: %d ids for %d", t.id, len(byID), truths)
	for _, k := range t.note.Comments {
		at := t.id + " " + k.CommentID
		e := byID[k.CommentID]
		if !c.Check(CommentIDs, e != nil, "%s is not in the evidence", at) {
			continue
		}
		c.Check(EvidenceDiffers, k.Body == e.Body && k.File == e.Path && cmp.Equal(k.Line, e.Line) &&
			k.DiffHunk == e.DiffHunk && k.Reviewer == e.Author &&
			k.IsInDiff == e.IsInDiff && k.RequiresChange == e.RequiresChange && cmp.Equal(k.Severity, e.Severity) &&
			cmp.Equal(k.IsBlocking, e.IsBlocking), "%s", at)
		c.Check(MissingLine, k.Line != nil || e.Anchor == model.AnchorFile || e.Anchor == model.AnchorNone, "%s: anchor %s",
			at, e.Anchor)
		c.Check(ThreadResolved, k.ThreadResolved != nil && *k.ThreadResolved == e.Resolved, "%s", at)
		if _, judged := c.judged[e.DatabaseID]; !judged {
			c.words(k.Body, at)
		}
	}
}

// words checks that a ground-truth comment has enough words, or a suggestion if that makes up for them. The labels
// decide whether it changes code.
func (c *checker) words(body, at string) {
	if c.o.Words == nil {
		return
	}
	words := c.o.Words(body)
	suggests := c.m.Parameters.SuggestionCounts && markdown.Read(body).Suggestions > 0 ||
		slices.Contains(c.m.Parameters.CommentRules, "replacements")
	c.Check(ShortComment, words >= c.m.Parameters.MinWords || suggests, "%s: %d words", at, words)
}

// state checks the consequences of the state of the code under a comment.
func (c *checker) state(t *task, e *artifacts.EvidenceComment, at string) {
	if e.CodeState == nil {
		return
	}
	is := func(b *bool, want bool) bool { return b != nil && *b == want }
	addressed, standing := e.CodeState.Addressed(), e.CodeState.Standing()
	c.Check(CodeStates, is(e.Addressed, addressed) && is(e.AddressedBeforeMerge, addressed) && is(e.Standing, standing) &&
		e.Validation != nil, "%s: %s", at, *e.CodeState)
	if t.evidence.Revision.Kind == "final" && c.m.Parameters.GroundTruthPolicy == "standing" {
		c.Check(CodeStates, standing || !e.GroundTruth, "%s: %s is ground truth", at, *e.CodeState)
	}
}

// author checks the author and the kind of a ground-truth comment against the rules.
func (c *checker) author(t *task, e *artifacts.EvidenceComment, at string) {
	c.Check(BotComment, e.Class != model.ClassBot && e.AIRule == nil && !c.bot(e.Author, e.AuthorType), "%s: %s", at,
		e.Author)
	c.Check(OwnComment, e.Class != model.ClassAuthor && e.Author != t.evidence.Author, "%s: %s", at, e.Author)
	c.Check(GhostComment, e.Class != model.ClassGhost && e.AuthorType != model.Ghost, "%s", at)
	c.Check(NotThreadStart, e.ReplyTo == nil, "%s answers %s", at, orNone(e.ReplyTo))
	c.Check(HiddenComment, !e.Minimized && !e.Pending, "%s", at)
}

func (c *checker) bot(login string, kind model.AccountType) bool {
	return c.o.Bot != nil && c.o.Bot(model.Account{Login: login, Type: kind})
}

// humans checks human_review_comments against the evidence.
func (c *checker) humans(t *task) {
	r, e := t.record, t.evidence
	if e == nil {
		return
	}
	var want []*artifacts.EvidenceComment
	removed := 0
	for i := range e.Comments {
		k := &e.Comments[i]
		if k.Class == model.ClassBot || k.AIRule != nil {
			removed++
		} else if k.Class != model.ClassGhost && !k.Minimized && !k.Pending {
			want = append(want, k)
		}
	}
	c.Check(RemovedCount, r.AICommentsRemoved == removed, "%s: %d for %d", t.id, r.AICommentsRemoved, removed)
	same := slices.EqualFunc(want, r.HumanReviewComments,
		func(k *artifacts.EvidenceComment, h artifacts.ReviewComment) bool {
			return k.Author == h.Author && k.Body == h.Body && k.Path == h.Path && cmp.Equal(k.Line, h.Line)
		})
	c.Check(HumanComments, same, "%s: %d for %d", t.id, len(r.HumanReviewComments), len(want))
	for _, k := range want {
		c.Check(BotComment, !c.bot(k.Author, k.AuthorType), "%s: comment %d by %s", t.id, k.DatabaseID, k.Author)
	}
}

// difficulty compares the record's difficulty with the classes of its comments, and those with the annotation.
// Without evidence it uses only the published rubric.
func (c *checker) difficulty(t *task) {
	a, e, r := t.note, t.evidence, t.record
	if a == nil {
		return
	}
	if e == nil {
		derived := derive(a, r.ChangedFiles)
		c.Check(DifficultyWrong, r.Difficulty == derived || r.Difficulty == model.Type3, "%s: %s for %s", t.id, r.Difficulty,
			derived)
		return
	}
	ties := map[string]bool{}
	for _, tie := range e.Difficulty.Because {
		known := tie.CommentID != nil && slices.Contains(a.SubstantiveCommentIDs, *tie.CommentID) &&
			!slices.Contains(r.ChangedFiles, tie.Path) && slices.Contains(r.ChangedFiles, tie.Via)
		if c.Check(DifficultyWrong, known, "%s: reference to %s by %s", t.id, tie.Path, orNone(tie.CommentID)) {
			ties[*tie.CommentID] = true
		}
	}
	beside := map[string]bool{}
	for _, k := range e.Comments {
		if k.CommentID != nil && k.Line != nil && t.diff != nil {
			beside[*k.CommentID] = t.diff.beside[spot{k.Path, k.Side, *k.Line}]
		}
	}
	hardest := model.Type1
	for _, k := range a.Comments {
		grade := e.Difficulty.Comments[k.CommentID]
		onContext := k.Line != nil && !k.IsInDiff
		fits := grade.Class == model.Latent && ties[k.CommentID] ||
			grade.Class == model.Contextual && !ties[k.CommentID] &&
				(onContext || strings.HasPrefix(grade.Because, "definition: ")) ||
			// earlier datasets call those contextual
			grade.Class == model.Direct && !ties[k.CommentID] && (!onContext || beside[k.CommentID])
		c.Check(DifficultyWrong, fits, "%s %s: %q because of %q", t.id, k.CommentID, grade.Class, grade.Because)
		hardest = max(hardest, grade.Class.Difficulty())
	}
	c.Check(DifficultyWrong, len(e.Difficulty.Comments) == len(a.Comments), "%s: %d classes for %d comments", t.id,
		len(e.Difficulty.Comments), len(a.Comments))
	c.Check(DifficultyWrong, r.Difficulty == hardest && e.Difficulty.Value == hardest, "%s: %s for %s", t.id, r.Difficulty,
		hardest)
}

func derive(a *artifacts.Annotation, changed []string) model.Difficulty {
	out := model.Type1
	for _, k := range a.Comments {
		if !slices.Contains(changed, k.File) {
			return model.Type3
		}
		if !k.IsInDiff {
			out = model.Type2
		}
	}
	return out
}

func lineOf(n *int) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprint(*n)
}

func orNone(s *string) string {
	if s == nil {
		return "nothing"
	}
	return *s
}
