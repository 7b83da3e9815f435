package official

import (
	"cmp"
	"slices"
)

// Pair is an agent comment that matches a human comment.
type Pair struct {
	Agent         string
	Human         string
	Actionability int64
	Similarity    float64
}

// Matched is a record after matching.
type Matched struct {
	Pairs    []Pair            // in the order of taking
	Labels   map[string]string // of agent comments
	Statuses map[string]string // of human comments
	Caught   map[string]string // human comment -> agent comment
	Clusters int               // groups of alike agent comments
	// DuplicateConfirmed and LowQualityPlausible are counted by the harness and never used.
	DuplicateConfirmed  int
	LowQualityPlausible int
}

// The thresholds of the matching.
const (
	sameFileBonus     = 0.15
	nearLineBonus     = 0.10
	nearLines         = 8
	farLineBonus      = 0.05
	farLines          = 20
	minAffinity       = 0.30
	clusterSimilarity = 0.65
	lowSimilarity     = 0.2
)

// affinity is the similarity of two comments with the bonus for one file and near lines, within 0..1.
func affinity(similarity float64, agentFile string, agentLine *int64, humanFile string, humanLine *int64) float64 {
	if agentFile != "" && agentFile == humanFile {
		similarity += sameFileBonus
		if agentLine != nil && humanLine != nil {
			switch d := distance(*agentLine, *humanLine); {
			case d <= nearLines:
				similarity += nearLineBonus
			case d <= farLines:
				similarity += farLineBonus
			}
		}
	}
	return min(max(similarity, 0), 1)
}

// distance is |a - b| without overflow: strangers' numbers may be 64 bits apart.
func distance(a, b int64) uint64 {
	if a < b {
		a, b = b, a
	}
	return uint64(a) - uint64(b)
}

// candidate is a possible pair, with what orders it.
type candidate struct {
	pair     Pair
	affinity float64
}

// matcher is one record while it is matched.
type matcher struct {
	protocol     Protocol
	agents       []AgentComment
	humans       []Human // distinct ids, the last of equal ones
	similarities map[[2]string]float64
	judged       map[string]Classification // the last item of each id
	out          Matched
}

// Match pairs the comments of a record: first those that the judge confirmed, then any free comment with a free human
// comment of sufficient affinity.
func (p Protocol) Match(t Task, a AgentOutput, j JudgeOutput, s Similarity) (Matched, error) {
	m := matcher{protocol: p, agents: a.Comments, humans: distinct(t.Humans), judged: map[string]Classification{}}
	m.out = Matched{Labels: map[string]string{}, Statuses: map[string]string{}, Caught: map[string]string{}}
	var err error
	if m.similarities, err = similarities(m.agents, m.humans, s); err != nil {
		return Matched{}, err
	}
	for _, c := range j.Classifications {
		m.judged[c.CommentID] = c
	}
	m.takeJudged(j.Classifications)
	m.takeByAffinity()
	m.label()
	for _, c := range j.Classifications {
		if c.Label == Confirmed {
			m.out.DuplicateConfirmed++
		}
	}
	m.out.DuplicateConfirmed = max(0, m.out.DuplicateConfirmed-len(m.out.Pairs))
	m.out.Clusters, err = clusters(a.Comments, s)
	return m.out, err
}

// distinct keeps one of the human comments that share an id: the last one, at the position of the first.
func distinct(humans []Human) []Human {
	var out []Human
	for _, h := range humans {
		if i := slices.IndexFunc(out, func(o Human) bool { return o.ID == h.ID }); i >= 0 {
			out[i] = h
		} else {
			out = append(out, h)
		}
	}
	return out
}

func similarities(agents []AgentComment, humans []Human, s Similarity) (map[[2]string]float64, error) {
	out := map[[2]string]float64{}
	for _, a := range agents {
		for _, h := range humans {
			v, err := s(a.Body, h.Body)
			if err != nil {
				return nil, err
			}
			out[[2]string{a.ID, h.ID}] = v
		}
	}
	return out, nil
}

// takeJudged is the first stage: comments that the judge confirmed with both ids known, by actionability and then
// similarity.
func (m *matcher) takeJudged(items []Classification) {
	var found []candidate
	for _, c := range items {
		if c.Label != Confirmed || c.Human == nil {
			continue
		}
		if s, known := m.similarities[[2]string{c.CommentID, *c.Human}]; known {
			found = append(found, candidate{pair: Pair{c.CommentID, *c.Human, c.Actionability, s}})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.pair.Actionability, a.pair.Actionability),
			cmp.Compare(b.pair.Similarity, a.pair.Similarity))
	})
	m.take(found)
}

// takeByAffinity is the second stage: all free comments with all free human
// comments.
func (m *matcher) takeByAffinity() {
	var found []candidate
	for _, a := range m.agents {
		judged, known := m.judged[a.ID]
		if !known {
			judged.Actionability = defaultActionability
		}
		if judged.Label == Fabricated && !m.protocol.RescueFabricated {
			continue
		}
		for _, h := range m.humans {
			s := m.similarities[[2]string{a.ID, h.ID}]
			if affinity := affinity(s, text(a.File), a.Line, h.File, h.Line); affinity >= minAffinity {
				found = append(found, candidate{Pair{a.ID, h.ID, judged.Actionability, s}, affinity})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.affinity, a.affinity) })
	m.take(found)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// take takes the candidates whose comments are both still free.
func (m *matcher) take(found []candidate) {
	for _, c := range found {
		_, agentTaken := m.out.Labels[c.pair.Agent]
		_, humanTaken := m.out.Caught[c.pair.Human]
		if !agentTaken && !humanTaken {
			m.out.Pairs = append(m.out.Pairs, c.pair)
			m.out.Labels[c.pair.Agent] = Confirmed
			m.out.Caught[c.pair.Human] = c.pair.Agent
		}
	}
}

// label gives every comment that is in no pair its label after matching.
func (m *matcher) label() {
	for _, a := range m.agents {
		if _, paired := m.out.Labels[a.ID]; paired {
			continue
		}
		if m.judged[a.ID].Label == Fabricated {
			m.out.Labels[a.ID] = Fabricated
			continue
		}
		m.out.Labels[a.ID] = Plausible
		best := 0.0
		for _, h := range m.humans {
			best = max(best, m.similarities[[2]string{a.ID, h.ID}])
		}
		if best < lowSimilarity {
			m.out.LowQualityPlausible++
		}
	}
	for _, h := range m.humans {
		m.out.Statuses[h.ID] = Missed
		if _, caught := m.out.Caught[h.ID]; caught {
			m.out.Statuses[h.ID] = Caught
		}
	}
}

// clusters counts groups of comments: each joins the first group whose first
// member is similar enough.
func clusters(agents []AgentComment, s Similarity) (int, error) {
	var firsts []string
next:
	for _, a := range agents {
		for _, first := range firsts {
			v, err := s(first, a.Body)
			if err != nil {
				return 0, err
			}
			if v >= clusterSimilarity {
				continue next
			}
		}
		firsts = append(firsts, a.Body)
	}
	return len(firsts), nil
}
