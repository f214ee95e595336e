package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"dev.sluice/rig/internal/load"
)

// performance is one arm in one scene.
type performance struct {
	*machine
	ctx      context.Context
	at       setting
	server   *process
	loader   *load.Loader
	figures  map[string]float64
	faults   map[string]int64
	examples map[string]string
	cpuAfter time.Duration
}

func (m *machine) measure(ctx context.Context, at setting, name string, a arm) (r result, err error) {
	feed, err := m.startFeed(at)
	if err != nil {
		return r, err
	}
	defer feed.stop()
	reviews, err := m.reviewsFor(at)
	if err != nil {
		return r, err
	}
	if err := exec.Command("taskset", "-a", "-c", "-p", m.otherCPUs(at), strconv.Itoa(os.Getpid())).Run(); err != nil {
		return r, fmt.Errorf("taskset: %w", err)
	}
	runtime.GC()
	server, url, err := m.startArm(at, a)
	if err != nil {
		return r, err
	}
	defer server.stop()
	loader, err := load.New(ctx, url, filepath.Join(m.root, "target/rig/certs/ca.crt"), reviews, a.judged)
	if err != nil {
		return r, err
	}
	defer loader.Close()
	p := &performance{machine: m, ctx: ctx, at: at, server: server, loader: loader,
		figures: map[string]float64{}, faults: map[string]int64{}, examples: map[string]string{}}
	ready, err := loader.Await(m.wait, server.ended)
	if err != nil {
		return r, err
	}
	p.figures["ready s"] = ready.Sub(server.started).Seconds()
	i := slices.IndexFunc(scenes, func(s scene) bool { return s.name == name })
	if err := scenes[i].play(p); err != nil {
		return r, err
	}
	for kind, example := range p.examples {
		fmt.Fprintf(os.Stderr, "rig: %s, %s: fault %s, for example: %.400s\n", a.name, name, kind, example)
	}
	return result{Figures: p.figures, Faults: p.faults}, p.finish()
}

// reviewsFor makes the reviews once for each mode and size of the cluster.
func (m *machine) reviewsFor(at setting) ([]*load.Body, error) {
	key := fmt.Sprint(at.Mode, at.Nodes, at.Pods)
	if m.reviews[key] == nil {
		table, err := load.ReadTable(filepath.Join(m.out, "expect-"+at.Mode+".json"))
		if err != nil {
			return nil, err
		}
		// A dry run lets an arm that reserves give the same answer each time.
		mix := load.Mix{Count: bodies, FallbackShare: 0.5, DryRun: at.Mode == "available", Seed: 1}
		if m.reviews[key], err = load.MakeBodies(mix, table); err != nil {
			return nil, err
		}
	}
	return m.reviews[key], nil
}

// listRate is an arrival rate that an arm can follow which lists everything for each review.
func (p *performance) listRate() float64 {
	objects := p.at.Nodes
	if p.at.Mode == "available" {
		objects += p.at.Pods
	}
	return min(20, 10_000/float64(objects))
}

func (p *performance) sleep(length time.Duration) error {
	select {
	case <-time.After(length):
		return nil
	case <-p.server.ended:
		return errors.New("it has ended; its log tells why")
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
}

// warm loads the arm without measuring it; its faults count all the same.
func (p *performance) warm(connections int, length time.Duration) {
	p.blame(p.loader.Judge(p.loader.Closed(connections, length)()))
}

// warmed measures the closed and the open loop after a warm-up.
func (p *performance) warmed(warmUp time.Duration) error {
	p.warm(p.connections, warmUp)
	if err := p.measure("closed ", p.loader.Closed(p.connections, p.length)); err != nil {
		return err
	}
	return p.measure("open ", p.loader.Open(p.rate, p.length, false))
}

// measure takes what a load costs and shows. The CPU time is read before answers are judged that had to wait for it.
func (p *performance) measure(prefix string, run func() load.Sample) error {
	pid, self := p.server.pid(), os.Getpid()
	before, err := cpuTime(pid)
	own, _ := cpuTime(self)
	used, stolen := machineTime()
	start := time.Now()
	sample := run()
	seconds := time.Since(start).Seconds()
	usedAfter, stolenAfter := machineTime()
	ownAfter, _ := cpuTime(self)
	after, err2 := cpuTime(pid)
	if err := errors.Join(err, err2, p.ctx.Err()); err != nil {
		return err
	}
	p.cpuAfter = after
	sample = p.loader.Judge(sample)
	p.blame(sample)
	cpu, n := (after - before).Seconds(), float64(max(1, len(sample.Latencies)))
	set := func(name string, value float64) { p.figures[prefix+name] = value }
	set("CPU µs/review", cpu/n*1e6)
	set("reviews/CPU-s", n/max(cpu, 1e-6))
	set("reviews/s", n/sample.Length.Seconds())
	if sample.Late != nil {
		set("behind s", sample.Behind.Seconds())
		set("driver late p99 µs", quantile(sample.Late, .99))
	}
	set("p50 µs", quantile(sample.Latencies, .5))
	set("p99 µs", quantile(sample.Latencies, .99))
	set("max µs", quantile(sample.Latencies, 1))
	set("cores busy", cpu/seconds)
	set("other cores", max(0, (usedAfter-used-(after-before)-(ownAfter-own)).Seconds())/seconds)
	set("stolen cores", (stolenAfter-stolen).Seconds()/seconds)
	return nil
}

func (p *performance) blame(s load.Sample) {
	for kind, count := range s.Faults {
		p.faults[kind] += count
	}
	for kind, example := range s.Examples {
		p.examples[kind] = example
	}
}

func (p *performance) finish() (err error) {
	p.figures["RSS MiB"], p.figures["RSS HWM MiB"], err = resident(p.server.pid())
	p.figures[errorCount] = 0
	for _, count := range p.faults {
		p.figures[errorCount] += float64(count)
	}
	return err
}

// quantile is in microseconds, by the nearest rank.
func quantile(sorted []time.Duration, share float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := max(1, int(math.Ceil(share*float64(len(sorted)))))
	return float64(sorted[rank-1].Nanoseconds()) / 1e3
}
