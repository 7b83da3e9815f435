package contextbuilder

import (
	"slices"
)

// slot is a layer with its position in the text and its share of the room.
type slot struct {
	number  int
	layer   layer
	reserve int // what earlier layers reserve for it while it has more
	cap     int // its maximum before the others had their turn; 0 is no maximum
	own     int // separate room, beside the budget; 0 for none
}

// draft is one text while it is built. Drafts may share layers.
type draft struct {
	config Config
	budget int
	slots  []slot // by number
}

// share distributes the room among the layers of some texts. First each layer in turn takes what it can use, but
// leaves the later ones their reserve. Then the rest flows on, the diff first and the description last. A layer that
// several texts share gets what the tightest of them can give.
func share(drafts []*draft) {
	for number := range headings {
		fillLayer(drafts, number, true)
	}
	for range 2 { // a layer's last fragment may be replaced by a longer form, once
		for i := range headings {
			fillLayer(drafts, (i+1)%len(headings), false)
		}
	}
}

// fillLayer fills the layers of one number. In the first round they leave the
// later ones their reserve; afterwards only those are filled that have more to
// show.
func fillLayer(drafts []*draft, number int, first bool) {
	var distinct []layer
	limits := map[layer]int{}
	for _, d := range drafts {
		i := slices.IndexFunc(d.slots, func(s slot) bool { return s.number == number })
		if i < 0 || !first && !d.slots[i].layer.hasMore() {
			continue
		}
		l, limit := d.slots[i].layer, d.room(i, first)
		if known, ok := limits[l]; ok {
			limit = min(limit, known)
		} else {
			distinct = append(distinct, l)
		}
		limits[l] = limit
	}
	for _, l := range distinct {
		l.fill(limits[l])
	}
}

// room is how much of the budget slot i may take.
func (d *draft) room(i int, first bool) int {
	if own := d.slots[i].own; own > 0 {
		return own
	}
	limit := d.budget
	for j, s := range d.slots {
		if j != i && s.own == 0 {
			limit -= s.layer.tokens()
		}
	}
	if !first {
		return limit
	}
	for _, later := range d.slots[i+1:] {
		if later.layer.hasMore() {
			limit -= max(0, later.reserve-later.layer.tokens())
		}
	}
	if s := d.slots[i]; s.cap > 0 {
		limit = min(limit, s.cap)
	}
	return limit
}
