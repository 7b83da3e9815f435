package contextbuilder

type related struct{ execution, tests []*offer }

func (b *Builder) relate(p *pull) *related { return &related{} }

func newExecutionLayer(m measure, p *pull, diff *diffLayer, opts Options) layer {
	return newCodeLayer(m, 3, p.execution, func(*offer) bool { return false })
}
func newTestLayer(m measure, p *pull, diff *diffLayer, opts Options) layer {
	return newCodeLayer(m, 5, p.tests, func(*offer) bool { return false })
}
func newBehaviorLayer(m measure, p *pull, opts Options) layer {
	return newCodeLayer(m, 4, nil, func(*offer) bool { return false })
}
