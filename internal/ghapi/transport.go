package ghapi

import (
	"net/http"
	"net/url"
)

type transport struct {
	o          Options
	api, graph *url.URL
	stats      ledger
}

func newTransport(o Options, api, graph *url.URL) *transport {
	if o.Base == nil {
		o.Base = http.DefaultTransport.(*http.Transport).Clone()
	}
	return &transport{o: o, api: api, graph: graph}
}

// RoundTrip sends a request.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	return t.o.Base.RoundTrip(req)
}
