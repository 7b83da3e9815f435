package agent

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prforge/prforge/internal/text"
)

// Bounds of the proxy.
const (
	maxRefused  = 20      // hosts that are named
	maxTunnels  = 64      // connections at once
	maxHeader   = 8 << 10 // bytes of a request
	dialTimeout = 30 * time.Second
)

// proxy is a forward proxy that opens tunnels to port 443 of some hosts and refuses everything else. It listens on a
// socket in the file system, the only one that a program without a network can reach.
type proxy struct {
	hosts  []string
	dial   dialer
	server *http.Server
	done   chan struct{} // closed by close
	places chan struct{}

	mu      sync.Mutex
	refused []string
}

// dialer opens a connection.
type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// openProxy serves at a socket that anybody who sees it may use. A nil dial uses the network.
func openProxy(socket string, hosts []string, dial dialer) (*proxy, error) {
	if dial == nil {
		dial = (&net.Dialer{Timeout: dialTimeout}).DialContext
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "unix", socket)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(socket, 0o666); err != nil {
		hangUp(l)
		return nil, err
	}
	p := &proxy{hosts: hosts, dial: dial, done: make(chan struct{}), places: make(chan struct{}, maxTunnels)}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: dialTimeout, MaxHeaderBytes: maxHeader}
	go func() { _ = p.server.Serve(l) }() // ends with close
	return p, nil
}

// close ends the proxy and its tunnels.
func (p *proxy) close() {
	close(p.done)
	hangUp(p.server)
}

// hangUp closes connections that are no longer needed.
func hangUp(all ...io.Closer) {
	for _, c := range all {
		_ = c.Close()
	}
}

// names are the refused hosts, sorted.
func (p *proxy) names() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(slices.Values(p.refused))
}

// ServeHTTP implements http.Handler.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, port, err := net.SplitHostPort(r.Host)
	if r.Method != http.MethodConnect || err != nil || port != "443" || !slices.Contains(p.hosts, strings.ToLower(name)) {
		p.refuse(r.Host)
		http.Error(w,
			fmt.Sprintf("prforge: %q is not among the hosts that this agent is allowed, or not on port 443 by CONNECT", r.Host),
			http.StatusForbidden)
		return
	}
	select {
	case p.places <- struct{}{}:
		defer func() { <-p.places }()
	default:
		http.Error(w, "prforge: too many connections", http.StatusServiceUnavailable)
		return
	}
	there, err := p.dial(r.Context(), "tcp", net.JoinHostPort(strings.ToLower(name), port))
	if err != nil {
		http.Error(w, "prforge: "+err.Error(), http.StatusBadGateway)
		return
	}
	defer hangUp(there)
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer hangUp(here)
	if _, err := io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-p.done:
			hangUp(here, there)
		case <-ended:
		}
	}()
	join(here, buffered, there)
}

func (p *proxy) refuse(host string) {
	host = text.Clip(text.OneLine(text.Valid(host)), 200)
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.refused) < maxRefused && !slices.Contains(p.refused, host) {
		p.refused = append(p.refused, host)
	}
}

// join copies between two connections until both sides have ended. from reads what the first one sends.
func join(a net.Conn, from io.Reader, b net.Conn) {
	var both sync.WaitGroup
	for _, way := range []struct {
		to   net.Conn
		from io.Reader
	}{{b, from}, {a, b}} {
		both.Go(func() {
			_, err := io.Copy(way.to, way.from)
			if half, ok := way.to.(interface{ CloseWrite() error }); ok && err == nil {
				_ = half.CloseWrite() // the other way may go on
				return
			}
			hangUp(a, b)
		})
	}
	both.Wait()
}
