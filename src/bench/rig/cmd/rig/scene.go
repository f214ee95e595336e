package main

import (
	"slices"
	"time"
)

// scene is one situation in which a webhook is measured. Each begins with a process that has just been started.
type scene struct {
	name  string
	takes func(o options) time.Duration
	play  func(p *performance) error
}

const (
	writers      = 64
	burstReviews = 1028
	trickleRate  = 5
	bodies       = 4096
)

var scenes = []scene{
	{"cold", func(o options) time.Duration { return o.length }, func(p *performance) error {
		err := p.measure("", p.loader.Open(p.rate, p.length, true))
		if err == nil {
			p.figures["CPU s from exec"] = p.cpuAfter.Seconds()
		}
		return err
	}},
	{"burst", func(o options) time.Duration { return o.rest + 2*time.Second }, func(p *performance) error {
		if err := p.sleep(p.rest); err != nil {
			return err
		}
		return p.measure("", p.loader.Burst(writers, burstReviews))
	}},
	{"trickle", func(o options) time.Duration { return o.trickle }, func(p *performance) error {
		return p.measure("", p.loader.Open(trickleRate, p.trickle, true))
	}},
	{"after8", func(o options) time.Duration { return o.short + 2*o.length }, func(p *performance) error { return p.warmed(p.short) }},
	{"steady", func(o options) time.Duration { return o.long + 2*o.length }, func(p *performance) error { return p.warmed(p.long) }},
	{consolesScene, func(o options) time.Duration { return o.consoleWarm + consolePairs*3*o.length }, (*performance).besideConsoles},
	{"lists", func(o options) time.Duration { return 2 * o.length }, func(p *performance) error {
		p.warm(1, 2*time.Second)
		rate := p.listRate()
		return p.measure("", p.loader.Open(rate, max(p.length, time.Duration(20/rate*float64(time.Second))), false))
	}},
}

// usualScenes are those that are played if no option names scenes.
func usualScenes() []string {
	return slices.DeleteFunc(sceneNames(), func(name string) bool { return name == consolesScene })
}

func sceneNames() []string {
	var names []string
	for _, s := range scenes {
		names = append(names, s.name)
	}
	return names
}
