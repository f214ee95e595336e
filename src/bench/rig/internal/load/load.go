// Package load sends reviews to a webhook as kube-apiserver would and judges every answer.
package load

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Loader sends reviews and judges the answers.
type Loader struct {
	ctx    context.Context // Its end ends a load early.
	url    string
	roots  *x509.CertPool
	client *http.Client
	bodies []*Body
	judge  bool   // without it only the HTTP status counts
	base   uint64 // The uids of this loader's calls follow from it.
	calls  atomic.Uint64

	lock     sync.Mutex
	later    bool // Answers are kept and judged after the load, so that judging takes no CPU from it.
	kept     []kept
	faults   map[string]int64
	examples map[string]string
}

type kept struct {
	body *Body
	uid  []byte
	data []byte
}

// Sample is what one load has shown. A call that failed counts with the latency of the timeout.
type Sample struct {
	Latencies []time.Duration
	Late      []time.Duration // Of the open loop: by how much the driver itself was late.
	Length    time.Duration   // From the start to the last answer.
	Behind    time.Duration   // Of the open loop: from the last arrival to the last answer.
	Faults    map[string]int64
	Examples  map[string]string // By the kind of fault, what was seen.
}

const (
	timeout      = 10 * time.Second
	mostInFlight = 4096
)

// New makes a loader for the webhook; whatever other loaders have seen of the bodies' answers is forgotten.
func New(ctx context.Context, url, caFile string, bodies []*Body, judge bool) (*Loader, error) {
	ca, err := os.ReadFile(caFile)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("there is no certificate in %s", caFile)
	}
	for _, b := range bodies {
		b.seen.Store(nil)
	}
	l := &Loader{ctx: ctx, url: url, roots: roots, bodies: bodies, judge: judge, base: uint64(time.Now().UnixNano())}
	l.client = l.newClient()
	return l, nil
}

// newClient is set as kube-apiserver's towards webhooks: HTTP/1.1 only, 25 idle connections, no session resumption.
func (l *Loader) newClient() *http.Client {
	return &http.Client{Timeout: timeout, Transport: &http.Transport{
		Proxy:               nil,
		TLSHandshakeTimeout: 10 * time.Second,
		TLSClientConfig:     &tls.Config{RootCAs: l.roots, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}},
		MaxIdleConnsPerHost: 25,
		IdleConnTimeout:     90 * time.Second,
		DialContext:         (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
	}}
}

// Close closes the loader's connections.
func (l *Loader) Close() { l.client.CloseIdleConnections() }

// Await sends one review after another until one is answered right, and tells when that was. It gives up after the limit
// or when the webhook has ended.
func (l *Loader) Await(limit time.Duration, ended <-chan struct{}) (time.Time, error) {
	for start := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		uid := callUID(l.base, 0)
		data, f := l.exchange(l.client, l.bodies[0], uid)
		answered := time.Now()
		if f == nil && l.judge {
			f = l.bodies[0].verify(uid, data)
		}
		if f == nil {
			return answered, nil
		}
		select {
		case <-ended:
			return answered, errors.New("it has ended; its log tells why")
		case <-l.ctx.Done():
			return answered, l.ctx.Err()
		default:
		}
		if time.Since(start) > limit {
			return answered, fmt.Errorf("no right answer within %s: %s %.400s", limit, f.kind, f.detail)
		}
	}
}

// once sends the next review and tells when its answer was there, and whether there was one. Judging it comes after that
// and is not in any latency.
func (l *Loader) once(client *http.Client) (done time.Time, answered bool) {
	n := l.calls.Add(1)
	b := l.bodies[n%uint64(len(l.bodies))]
	uid := callUID(l.base, n)
	data, f := l.exchange(client, b, uid)
	done = time.Now()
	switch {
	case f != nil:
		l.fault(f)
	case l.later:
		l.lock.Lock()
		l.kept = append(l.kept, kept{b, uid, data})
		l.lock.Unlock()
	case l.judge:
		l.fault(b.verify(uid, data))
	}
	return done, f == nil
}

// latency is that of a call that was due at a time; due is the intended arrival in the open loop.
func latency(due, done time.Time, answered bool) time.Duration {
	if !answered {
		return timeout
	}
	return done.Sub(due)
}

func (l *Loader) fault(f *fault) {
	if f == nil {
		return
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	l.faults[f.kind]++
	if l.examples[f.kind] == "" {
		l.examples[f.kind] = f.detail
	}
}

func (l *Loader) exchange(client *http.Client, b *Body, uid []byte) ([]byte, *fault) {
	request, err := http.NewRequest(http.MethodPost, l.url, bytes.NewReader(b.withUID(uid)))
	if err != nil {
		return nil, &fault{"transport", err.Error()}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, */*")
	request.Header.Set("User-Agent", "kube-apiserver-admission")
	response, err := client.Do(request)
	if err != nil {
		return nil, &fault{"transport", err.Error()}
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, &fault{"transport", err.Error()}
	}
	if response.StatusCode != http.StatusOK {
		return nil, &fault{"status", fmt.Sprintf("%d %s", response.StatusCode, data)}
	}
	return data, nil
}

// begin forgets the faults of earlier loads, and says when the answers of this one are judged.
func (l *Loader) begin(later bool) {
	// The pacing thread of the open loop must not wait for a sender.
	runtime.GOMAXPROCS(max(2, runtime.NumCPU()))
	l.later, l.kept = later && l.judge, nil
	l.faults, l.examples = map[string]int64{}, map[string]string{}
}

// Judge finishes a sample: it judges the answers that were kept, and sorts what was measured.
func (l *Loader) Judge(s Sample) Sample {
	slices.Sort(s.Latencies)
	slices.Sort(s.Late)
	for _, k := range l.kept {
		l.fault(k.body.verify(k.uid, k.data))
	}
	l.kept, s.Faults, s.Examples = nil, l.faults, l.examples
	return s
}
