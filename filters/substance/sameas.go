package substance

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
)

var (
	// alike matches words that repeat an earlier point.
	alike = regexp.MustCompile(`(?i)\b(?:same|similar(?:ly)?|ditto|likewise|(?:as|like) (?:i |was )?(?:above|below|said|mentioned|noted|commented|suggested))\b`)
	// pointing matches such words that refer to a comment, not code.
	pointing = regexp.MustCompile(`(?i)\bditto\b|^\W*likewise\b|\b(?:same|similar) (?:here|comment|remark|issue|question|concern|suggestion|point|thing|applies|goes)\b|\b(?:same|similar) (?:as|to) (?:the |my |your |this |that )?(?:above|below|other|previous|earlier|comments?|remarks?|suggestions?|one)\b|\bas (?:i |was )?(?:said|mentioned|noted|commented|suggested)? ?(?:above|below|before|earlier|elsewhere)\b|\b(?:same|similar) (?:as|to) @[\w-]+`)
	// discussion is the id of the review comment that a link points to.
	discussion = regexp.MustCompile(`#discussion_r([0-9]+)`)
	mentioned  = regexp.MustCompile(`@([\w-]+)`)
)

// SameAs maps ground-truth comments of a pull request to the earlier one whose point they repeat, by id: they have
// its words, link to its thread and call it alike, or refer to a comment ("same here"), which is then the last one
// before by the person named, or by the same person.
func SameAs(c *model.Candidate) map[int64]int64 {
	type finding struct {
		id            int64
		author, prose string
	}
	var before []finding
	thread := map[int64]int64{} // the ground-truth comment of each comment's thread
	for k := range c.ReviewComments() {
		if k.Substantive() {
			for _, other := range k.Thread.Comments {
				thread[other.ID] = k.Comment.ID
			}
		}
	}
	out := map[int64]int64{}
	for k := range c.ReviewComments() {
		if !k.Substantive() {
			continue
		}
		t := markdown.Read(k.Comment.Body)
		own := finding{k.Comment.ID, k.Comment.Author.Login, strings.Join(strings.Fields(strings.ToLower(t.Prose)), " ")}
		author := own.author
		if m := mentioned.FindStringSubmatch(t.Prose); m != nil {
			author = m[1]
		}
		if alike.MatchString(t.Prose) {
			for _, m := range discussion.FindAllStringSubmatch(k.Comment.Body, -1) {
				if id, err := strconv.ParseInt(m[1], 10, 64); err == nil && thread[id] != 0 && thread[id] != own.id {
					out[own.id] = thread[id]
				}
			}
		}
		points := pointing.MatchString(t.Prose)
		for i := len(before) - 1; i >= 0 && out[own.id] == 0; i-- {
			if b := before[i]; b.prose == own.prose && own.prose != "" || points && strings.EqualFold(b.author, author) {
				out[own.id] = b.id
			}
		}
		before = append(before, own)
	}
	return out
}
