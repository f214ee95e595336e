package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"dev.sluice/rig/internal/load"
)

// machine is what measures: the options, the reviews, and the results so far.
type machine struct {
	options
	processors int
	management int // the management port of the arm that runs
	arms       []arm
	reviews    map[string][]*load.Body // by mode and number of nodes
	file       *os.File
	results    []result
}

func newMachine(o options) (*machine, error) {
	if o.root == "" {
		return nil, errors.New("start src/bench/rig/run, which builds what this needs")
	}
	out, err := filepath.Abs(o.out)
	if err != nil {
		return nil, err
	}
	o.out = out
	m := &machine{options: o, processors: runtime.NumCPU(), reviews: map[string][]*load.Body{}}
	known := builtIn(o)
	for _, name := range o.arms {
		i := slices.IndexFunc(known, func(a arm) bool { return a.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no arm %s; there are S, C, CT, E and L, and --arm adds one", name)
		}
		m.arms = append(m.arms, known[i])
	}
	m.arms = append(m.arms, o.further...)
	if _, err := o.settings(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	m.file, err = os.Create(filepath.Join(out, "results.jsonl"))
	debug.SetGCPercent(400) // The driver has memory and should spend its CPU on the load.
	return m, err
}

// armsOf are the arms that play a scene.
func (m *machine) armsOf(scene string) []arm {
	var playing []arm
	for _, a := range m.arms {
		if slices.Contains(a.only, scene) || len(a.only) == 0 && scene != "lists" && (a.console || scene != consolesScene) {
			playing = append(playing, a)
		}
	}
	return playing
}

// expected is how long everything will take, with five seconds for each start and end.
func (m *machine) expected(settings int) time.Duration {
	var sum time.Duration
	for _, s := range scenes {
		if slices.Contains(m.scenes, s.name) {
			sum += time.Duration(len(m.armsOf(s.name))) * (s.takes(m.options) + 5*time.Second)
		}
	}
	return sum * time.Duration(m.rounds*settings)
}

const errorCount = "errors"

// result is what one arm has shown in one scene of one round.
type result struct {
	setting
	Scene   string             `json:"scene"`
	Arm     string             `json:"arm"`
	Round   int                `json:"round"`
	Figures map[string]float64 `json:"figures"`
	Faults  map[string]int64   `json:"faults,omitempty"`
}

// keep stores a result and shows that something happens.
func (m *machine) keep(r result) error {
	m.results = append(m.results, r)
	var shown []string
	for _, f := range figures {
		if value, ok := r.Figures[f.name]; ok && f.progress {
			shown = append(shown, fmt.Sprintf(f.format+" %s", value, f.name))
		}
	}
	fmt.Printf("round %d, %s, %s, %s: %s\n", r.Round, r.setting, r.Scene, r.Arm, strings.Join(shown, ", "))
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = m.file.Write(append(line, '\n'))
	return err
}
