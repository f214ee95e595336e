package load

import (
	"math/rand/v2"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Closed, Burst and Open prepare a load; what they return does it, and gives what Judge then finishes.

// Closed keeps so many connections busy for so long. It is also the warm-up, in which every answer is judged in full once.
func (l *Loader) Closed(connections int, length time.Duration) func() Sample {
	l.begin(false)
	return func() Sample {
		end := time.Now().Add(length)
		return l.busy(connections, func(int) *http.Client { return l.client }, func() bool { return time.Now().Before(end) && l.ctx.Err() == nil })
	}
}

// Burst sends so many reviews, shared evenly by writers that each open a connection of their own.
func (l *Loader) Burst(writers, reviews int) func() Sample {
	l.begin(true)
	clients := make([]*http.Client, writers)
	for i := range clients {
		clients[i] = l.newClient()
	}
	return func() Sample {
		left := int64(reviews)
		s := l.busy(writers, func(i int) *http.Client { return clients[i] }, func() bool { return atomic.AddInt64(&left, -1) >= 0 && l.ctx.Err() == nil })
		for _, client := range clients {
			client.CloseIdleConnections()
		}
		return s
	}
}

// busy lets workers send one review after another as long as there is more to do.
func (l *Loader) busy(workers int, client func(worker int) *http.Client, more func() bool) Sample {
	var s Sample
	var lock sync.Mutex
	var all sync.WaitGroup
	start := time.Now()
	for i := range workers {
		all.Go(func() {
			var mine []time.Duration
			last := start
			for more() {
				sent := time.Now()
				done, answered := l.once(client(i))
				mine, last = append(mine, latency(sent, done, answered)), done
			}
			lock.Lock()
			defer lock.Unlock()
			s.Latencies = append(s.Latencies, mine...)
			s.Length = max(s.Length, last.Sub(start))
		})
	}
	all.Wait()
	return s
}

// Open sends at Poisson arrivals. A latency begins at the intended arrival, so that no wait of the driver is left out.
func (l *Loader) Open(rate float64, length time.Duration, judgeLater bool) func() Sample {
	l.begin(judgeLater)
	var arrivals []time.Duration
	random := rand.New(rand.NewPCG(l.base, 2))
	for at := random.ExpFloat64() / rate; at < length.Seconds(); at += random.ExpFloat64() / rate {
		arrivals = append(arrivals, time.Duration(at*float64(time.Second)))
	}
	return func() Sample { return l.paced(arrivals) }
}

func (l *Loader) paced(arrivals []time.Duration) Sample {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// PR_SET_TIMERSLACK is 29; the slack is 1 ns here, because Go's own timers may be 1 ms late when nothing else runs.
	syscall.Syscall(syscall.SYS_PRCTL, 29, 1, 0)
	s := Sample{Latencies: make([]time.Duration, len(arrivals)), Late: make([]time.Duration, len(arrivals))}
	var senders sync.WaitGroup
	var inFlight atomic.Int64
	var last highest
	start := time.Now()
	for i, at := range arrivals {
		if l.ctx.Err() != nil {
			break
		}
		if wait := at - time.Since(start); wait > 0 {
			pause := syscall.NsecToTimespec(int64(wait))
			syscall.Nanosleep(&pause, nil)
		}
		if inFlight.Load() >= mostInFlight {
			l.fault(&fault{"dropped", "too many reviews were under way"})
			s.Latencies[i] = timeout
			continue
		}
		inFlight.Add(1)
		senders.Go(func() {
			due := start.Add(at)
			s.Late[i] = time.Since(due)
			done, answered := l.once(l.client)
			s.Latencies[i] = latency(due, done, answered)
			inFlight.Add(-1)
			last.rise(done.Sub(start))
		})
	}
	senders.Wait()
	s.Length = time.Duration(last.Load())
	if n := len(arrivals); n > 0 {
		s.Behind = s.Length - arrivals[n-1]
	}
	return s
}

// highest is the largest duration that was seen.
type highest struct{ atomic.Int64 }

func (h *highest) rise(to time.Duration) {
	for seen := h.Load(); int64(to) > seen && !h.CompareAndSwap(seen, int64(to)); seen = h.Load() {
	}
}
