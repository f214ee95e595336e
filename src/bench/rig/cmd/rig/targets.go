package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// product is the arm that the targets are for.
const product = "S"

// target is what the product is to reach in a scene: the goal, and a gate that may at no time be missed.
type target struct {
	scene, figure string
	atLeast       bool // Otherwise the figure is at most the limit.
	everyRound    bool // The worst round counts instead of the median.
	goal          bound
	gate          *bound
	where         func(s setting) bool // Everywhere if nil.
}

// bound is a limit, either of the figure itself or of its ratio to another one.
type bound struct {
	limit float64
	of    *reference
}

// reference is the figure to which a bound refers: that of another arm, scene or mode where these are named.
type reference struct{ arm, scene, figure, mode string }

func timesArm(limit float64, arm string) bound { return bound{limit, &reference{arm: arm}} }

var (
	oneCPU       = func(s setting) bool { return s.CPUs == 1 }
	available    = func(s setting) bool { return s.Mode == "available" }
	smallCluster = func(s setting) bool { return s.Nodes <= 100 }
	largeCluster = func(s setting) bool { return s.Nodes >= 5000 }
)

var targets = []target{
	{scene: "cold", figure: "CPU µs/review", goal: timesArm(1, "CT"), gate: new(timesArm(1, "C"))},
	{scene: "cold", figure: "p99 µs", goal: timesArm(1, "CT"), gate: new(timesArm(1, "C"))},
	// A pace is kept if the last answer comes no later than a hundredth of ten seconds after the last arrival.
	{scene: "cold", figure: "behind s", everyRound: true, goal: bound{limit: 0.1}, where: oneCPU},
	{scene: "burst", figure: "CPU µs/review", goal: timesArm(1, "CT"), gate: new(timesArm(1, "C"))},
	{scene: "burst", figure: "p99 µs", goal: timesArm(1, "CT"), gate: new(timesArm(1, "C"))},
	{scene: "burst", figure: "reviews/s", atLeast: true, everyRound: true, goal: bound{limit: 1000}, where: oneCPU},
	{scene: "trickle", figure: "p50 µs", goal: timesArm(1, "CT"), gate: new(timesArm(1.5, "CT"))},
	{scene: "trickle", figure: "p99 µs", goal: bound{limit: 5000}},
	{scene: "after8", figure: "closed reviews/CPU-s", atLeast: true, goal: timesArm(2, "CT"), gate: new(timesArm(1, "CT"))},
	{scene: "steady", figure: "closed CPU µs/review", goal: timesArm(1.5, "E"), gate: new(timesArm(2, "E"))},
	{scene: "steady", figure: "closed reviews/CPU-s", atLeast: true, goal: timesArm(2, "CT"), gate: new(timesArm(1.3, "CT"))},
	{scene: "steady", figure: "open p99 µs", goal: timesArm(1, "CT")},
	{scene: "steady", figure: "closed CPU µs/review", goal: bound{1.3, &reference{arm: product, mode: "allocatable"}}, where: available},
	{scene: "cold", figure: "ready s", goal: bound{limit: 1}, gate: &bound{limit: 2}, where: oneCPU},
	{scene: "steady", figure: "RSS MiB", goal: bound{limit: 128}, gate: &bound{limit: 160}, where: smallCluster},
	{scene: "steady", figure: "RSS MiB", goal: bound{limit: 160}, gate: &bound{limit: 192}, where: largeCluster},
	{scene: consolesScene, figure: "CPU with/without consoles", goal: bound{limit: 1.05}},
	{scene: consolesScene, figure: "heap MiB/console", goal: bound{limit: 2}},
	{scene: "steady", figure: "open p50 µs", goal: timesLists(1.0 / 700), gate: new(timesLists(1.0 / 400)), where: largeCluster},
}

func timesLists(limit float64) bound {
	return bound{limit, &reference{arm: "L", scene: "lists", figure: "p50 µs"}}
}

// printTargets says of each target, wherever it holds, what was measured and whether that meets it.
func printTargets(w io.Writer, results []result, settings []setting) {
	fmt.Fprintf(w, "\n### Targets of %s\n\n| target | where | measured | verdict |\n| --- | --- | --- | --- |\n", product)
	for _, t := range targets {
		for _, at := range settings {
			if t.where == nil || t.where(at) {
				measured, verdict := t.judge(results, at)
				fmt.Fprintf(w, "| %s | %s | %s | %s |\n", t, at, measured, verdict)
			}
		}
	}
	wrong := 0.0
	for _, r := range results {
		if r.Arm == product {
			wrong += r.Figures[errorCount]
		}
	}
	verdict := "met"
	if wrong > 0 {
		verdict = "**missed**"
	}
	fmt.Fprintf(w, "| errors = 0 | all scenes, with their warm-ups | %.0f | %s |\n", wrong, verdict)
}

func (t target) judge(results []result, at setting) (measured, verdict string) {
	goal, shown := t.holds(t.goal, results, at)
	if shown == "" {
		return "–", "not measured"
	}
	if goal {
		return shown, "met"
	}
	if t.gate == nil {
		return shown, "**missed**"
	}
	gate, shownForGate := t.holds(*t.gate, results, at)
	if shownForGate != "" && !slices.Contains(strings.Split(shown, ", "), shownForGate) {
		shown += ", " + shownForGate
	}
	switch {
	case shownForGate == "":
		return shown, "missed, gate not measured"
	case gate:
		return shown, "gate held"
	}
	return shown, "**missed**"
}

// holds tells whether the bound is kept and what was measured; that is empty if nothing was.
func (t target) holds(b bound, results []result, at setting) (kept bool, shown string) {
	mine := pick(results, at, t.scene, product, t.figure)
	if len(mine) == 0 {
		return false, ""
	}
	if b.of == nil {
		value := mine.median()
		if sorted := mine.sorted(); t.everyRound && t.atLeast {
			value = sorted[0]
		} else if t.everyRound {
			value = sorted[len(sorted)-1]
		}
		return t.within(value, b.limit), fmt.Sprintf("%.4g", value)
	}
	scene, figure := t.scene, t.figure
	if b.of.scene != "" {
		scene, figure = b.of.scene, b.of.figure
	}
	other := at
	if b.of.mode != "" {
		other.Mode = b.of.mode
	}
	r := compare(mine, pick(results, other, scene, b.of.arm, figure))
	if r == nil {
		return false, ""
	}
	value := fmt.Sprintf("%s × %s", r, b.of.name())
	if b.limit < 0.1 {
		value = fmt.Sprintf("1/%.0f × %s", 1/r.medians, b.of.name())
	}
	return t.within(r.medians, b.limit), value
}

func (t target) within(value, limit float64) bool {
	if t.atLeast {
		return value >= limit
	}
	return value <= limit
}

func (t target) String() string {
	text := fmt.Sprintf("%s: %s %s", t.scene, t.figure, t.write(t.goal))
	if t.gate != nil {
		text += " [" + t.write(*t.gate) + "]"
	}
	if t.everyRound {
		text += " in every round"
	}
	return text
}

func (t target) write(b bound) string {
	sign := "≤ "
	if t.atLeast {
		sign = "≥ "
	}
	limit := fmt.Sprintf("%.4g", b.limit)
	switch {
	case b.of == nil:
		return sign + limit
	case b.limit == 1:
		return sign + b.of.name()
	case b.limit < 0.1:
		limit = fmt.Sprintf("1/%.0f", 1/b.limit)
	}
	return sign + limit + " × " + b.of.name()
}

func (r reference) name() string {
	if r.mode != "" {
		return r.mode + " mode"
	}
	return r.arm
}
