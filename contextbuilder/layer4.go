package contextbuilder

// setting is one configuration entry.
type setting struct{}

func (f *finder) settings() []*setting { return nil }

func newBehaviorLayer(m measure, p *pull, opts Options) layer { return newFixed(m, "") }
