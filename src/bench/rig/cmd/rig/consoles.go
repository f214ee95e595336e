package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The console is a page of Sluice alone, so other arms do not play this scene.
const (
	consolesScene = "consoles"
	consoles      = 5
	consolePairs  = 5
)

// view is what a page of the console asks for beside its stream, and how often.
type view struct {
	path  string
	every time.Duration
}

// views are those of console/*.js. Each of the five pages shows another one, as people do.
var views = [consoles][]view{
	{{"diagnosis", time.Minute}},
	{{"capacity/history", time.Minute}, {"capacity/holders", 30 * time.Second}},
	{{"flow?since=1h", 5 * time.Second}},
	{{"decisions?limit=1000", 0}},
	{{"replicas", 5 * time.Second}},
}

// pages are open pages of the console: each has loaded its page, the fleet and the decisions, follows the event stream,
// and asks again as its view does.
type pages struct {
	base   string
	client *http.Client
	cancel context.CancelFunc
	all    sync.WaitGroup
	events atomic.Int64
	failed atomic.Pointer[error]
}

// openPages opens all pages, and returns when each has got its first events.
func openPages(ctx context.Context, port int) (*pages, error) {
	ctx, cancel := context.WithCancel(ctx)
	p := &pages{base: fmt.Sprintf("http://127.0.0.1:%d", port), cancel: cancel,
		client: &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 6}}}
	ready := make(chan struct{}, consoles)
	for i := range consoles {
		p.all.Go(func() {
			if err := p.page(ctx, views[i], func() { ready <- struct{}{} }); err != nil && ctx.Err() == nil {
				p.failed.CompareAndSwap(nil, &err)
				cancel()
			}
		})
	}
	for range consoles {
		select {
		case <-ready:
		case <-ctx.Done():
			return p, errors.Join(p.close(), ctx.Err())
		case <-time.After(30 * time.Second):
			return p, errors.Join(errors.New("a page of the console does not load"), p.close())
		}
	}
	return p, nil
}

func (p *pages) page(ctx context.Context, shown []view, ready func()) error {
	html, err := p.get(ctx, "/console/")
	if err != nil {
		return err
	}
	for _, name := range regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllSubmatch(html, -1) {
		if _, err := p.get(ctx, "/console/"+string(name[1])); err != nil {
			return err
		}
	}
	var fleet struct{ Version string }
	whole, err := p.get(ctx, "/api/v1/fleet")
	if err != nil {
		return err
	}
	if err := json.Unmarshal(whole, &fleet); err != nil {
		return err
	}
	for _, v := range shown {
		p.all.Go(func() { p.repeat(ctx, v) })
	}
	for last := ""; ctx.Err() == nil; {
		if last, err = p.stream(ctx, fleet.Version, last, ready); err != nil {
			return err
		}
		ready = func() {}
	}
	return nil
}

// repeat asks for what a view shows. A gateway without diagnosis answers 404, which is an answer, too.
func (p *pages) repeat(ctx context.Context, v view) {
	for {
		p.get(ctx, "/api/v1/"+v.path)
		if v.every == 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(v.every):
		}
	}
}

// stream reads events until the gateway ends them, and returns the last id.
func (p *pages) stream(ctx context.Context, version, last string, ready func()) (string, error) {
	request, _ := http.NewRequestWithContext(ctx, http.MethodGet, p.base+"/api/v1/events?perSecond=20&fleet="+version, nil)
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Accept-Encoding", "gzip")
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	response, err := p.client.Do(request)
	if err != nil {
		return last, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return last, fmt.Errorf("the stream of events answers %d", response.StatusCode)
	}
	if last == "" {
		if _, err := p.get(ctx, "/api/v1/decisions?limit=1000"); err != nil {
			return last, err
		}
	}
	lines := bufio.NewReaderSize(response.Body, 1<<16)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return last, nil
		}
		if err != nil {
			return last, err
		}
		switch {
		case strings.HasPrefix(line, "id: "):
			last = strings.TrimSpace(line[4:])
		case strings.HasPrefix(line, "event: decision"):
			p.events.Add(1)
		}
		ready()
		ready = func() {}
	}
}

// get asks as a browser does, which takes gzip.
func (p *pages) get(ctx context.Context, path string) ([]byte, error) {
	request, _ := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, nil)
	request.Header.Set("Accept-Encoding", "gzip")
	response, err := p.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var body io.Reader = response.Body
	if response.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(body); err != nil {
			return nil, err
		}
	}
	data, err := io.ReadAll(body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answers %d: %.200s", path, response.StatusCode, data)
	}
	return data, err
}

// close closes all pages. It returns why a page has failed before.
func (p *pages) close() error {
	p.cancel()
	p.all.Wait()
	p.client.CloseIdleConnections()
	if failed := p.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}

// heap gives what the gateway's heap holds after a collection, in MiB.
func (p *performance) heap() (float64, error) {
	jcmd := filepath.Join(filepath.Dir(p.java), "jcmd")
	pid := strconv.Itoa(p.server.pid())
	if out, err := exec.Command(jcmd, pid, "GC.run").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("jcmd: %w: %s", err, out)
	}
	out, err := exec.Command(jcmd, pid, "GC.heap_info").CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("jcmd: %w: %s", err, out)
	}
	return heapMiB(string(out))
}

// heapMiB adds what the generations use in the answer of jcmd GC.heap_info.
func heapMiB(info string) (float64, error) {
	var sum float64
	for _, used := range regexp.MustCompile(`total \d+K, used (\d+)K`).FindAllStringSubmatch(info, -1) {
		kib, _ := strconv.ParseFloat(used[1], 64)
		sum += kib / 1024
	}
	if sum == 0 {
		return 0, fmt.Errorf("the heap cannot be read from %.300s", info)
	}
	return sum, nil
}

// besideConsoles measures the open loop in turns without pages, while pages load and ask their first questions, and with
// pages that have been open since, after a warm-up in which pages were open, too. The warm-up takes minutes: what a page
// asks for runs once a second or less often, so the JVM compiles it late, and this work is not what an open page costs.
func (p *performance) besideConsoles() error {
	opened, err := openPages(p.ctx, p.management)
	if err != nil {
		return err
	}
	p.warm(p.connections, p.consoleWarm)
	if err := opened.close(); err != nil {
		return err
	}
	var alone, beside, ratios, loading, grown []float64
	for range consolePairs {
		if err := p.measure("alone ", p.loader.Open(p.rate, p.length, false)); err != nil {
			return err
		}
		before, err := p.heap()
		if err != nil {
			return err
		}
		if opened, err = openPages(p.ctx, p.management); err != nil {
			return err
		}
		for _, phase := range []string{"loading ", "open "} {
			if err := errors.Join(p.measure(phase, p.loader.Open(p.rate, p.length, false)), p.ctx.Err()); err != nil {
				return err
			}
		}
		after, err := p.heap()
		if err := errors.Join(err, opened.close()); err != nil {
			return err
		}
		alone, beside = append(alone, p.figures["alone CPU µs/review"]), append(beside, p.figures["open CPU µs/review"])
		ratios = append(ratios, beside[len(beside)-1]/alone[len(alone)-1])
		loading = append(loading, p.figures["loading CPU µs/review"]/alone[len(alone)-1])
		grown = append(grown, (after-before)/consoles)
		p.figures["events/console"] = float64(opened.events.Load()) / consoles
	}
	p.figures["alone CPU µs/review"], p.figures["open CPU µs/review"] = middle(alone), middle(beside)
	p.figures["CPU with/without consoles"], p.figures["heap MiB/console"] = middle(ratios), middle(grown)
	p.figures["CPU while consoles load/without"] = middle(loading)
	return nil
}

func middle(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
