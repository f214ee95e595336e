package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"

	"dev.sluice/rig/internal/shape"
)

// churner changes the cluster at a steady rate: pods are created, bound, started, ended (every second one) and deleted,
// and each node reports its status every five minutes. Its pods ask for nothing or for one whole GPU on a node that has
// four to spare, at most one such pod a node, so that no expectation of the driver depends on the moment.
type churner struct {
	store *store
	sites []int32 // nodes with whole GPUs, else all
	steps [2][]step
	alive []life // a queue; each turn moves the oldest one step on
	next  uint32
	born  int
}

type step struct {
	kind  string
	form  uint16
	bound bool
}

type life struct {
	record
	track, at int
}

func newChurner(s *store, nodes, pods int) *churner {
	c := &churner{store: s, next: uint32(pods)}
	for n := range nodes {
		if shape.Layouts[shape.LayoutOf(n)].Name == "whole" {
			c.sites = append(c.sites, int32(n))
		}
	}
	if len(c.sites) == 0 {
		c.sites = []int32{0}
	}
	for track, ask := range []shape.Ask{{}, {Resource: shape.GPU, Count: 1}} {
		c.steps[track] = []step{
			{"ADDED", s.formFor(ask, corev1.PodPending, false), false},
			{"MODIFIED", s.formFor(ask, corev1.PodPending, true), true},
			{"MODIFIED", s.formFor(ask, corev1.PodRunning, true), true},
			{"MODIFIED", s.formFor(ask, corev1.PodSucceeded, true), true},
			{"DELETED", s.formFor(ask, corev1.PodSucceeded, true), true},
		}
	}
	return c
}

// run makes perSecond events until the context ends, in ticks of at least 2 ms.
func (c *churner) run(ctx context.Context, perSecond float64, nodes int) {
	start, done, beats := time.Now(), 0, 0
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		elapsed := time.Since(start).Seconds()
		for ; done < int(elapsed*perSecond); done++ {
			c.turn()
		}
		for ; beats < int(elapsed*float64(nodes)/300); beats++ {
			c.beat(uint32(beats % nodes))
		}
	}
}

// turn keeps as many pods alive as there are sites, each in its own.
func (c *churner) turn() {
	s := c.store
	s.mu.Lock()
	defer s.mu.Unlock()
	var l life
	if len(c.alive) < len(c.sites) {
		l = life{record: record{id: c.next, node: c.sites[c.born%len(c.sites)]}, track: c.born % 2}
		c.next, c.born = c.next+1, c.born+1
	} else {
		l, c.alive = c.alive[0], c.alive[1:]
		l.at++
	}
	step := c.steps[l.track][l.at]
	r := l.record
	r.form = step.form
	if !step.bound {
		r.node = -1
	}
	s.apply(&s.pods, step.kind, r)
	if step.kind != "DELETED" {
		c.alive = append(c.alive, l)
	}
}

func (c *churner) beat(node uint32) {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	c.store.apply(&c.store.nodes, "MODIFIED", c.store.nodes.objects[node])
}
