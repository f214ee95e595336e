package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// figure is one row of a table.
type figure struct {
	name, format string
	progress     bool // It is shown while the rig runs.
	plain        bool // Ratios of it say nothing.
}

// figures are in the order of the table: CPU time first, because a busy machine changes it least.
var figures = []figure{
	{name: "CPU µs/review", format: "%.1f", progress: true},
	{name: "CPU s from exec", format: "%.2f"},
	{name: "closed CPU µs/review", format: "%.1f", progress: true},
	{name: "closed reviews/CPU-s", format: "%.0f"},
	{name: "open CPU µs/review", format: "%.1f"},
	{name: "alone CPU µs/review", format: "%.1f"},
	{name: "CPU with/without consoles", format: "%.3f", progress: true, plain: true},
	{name: "heap MiB/console", format: "%.2f", progress: true, plain: true},
	{name: "events/console", format: "%.0f", plain: true},
	{name: "reviews/s", format: "%.0f", plain: true},
	{name: "behind s", format: "%.3f", plain: true},
	{name: "p50 µs", format: "%.0f", progress: true},
	{name: "p99 µs", format: "%.0f", progress: true},
	{name: "max µs", format: "%.0f"},
	{name: "closed reviews/s", format: "%.0f"},
	{name: "closed p99 µs", format: "%.0f"},
	{name: "open p50 µs", format: "%.0f", progress: true},
	{name: "open p99 µs", format: "%.0f", progress: true},
	{name: "open behind s", format: "%.3f", plain: true},
	{name: "ready s", format: "%.2f", progress: true},
	{name: "RSS MiB", format: "%.0f", progress: true},
	{name: "RSS HWM MiB", format: "%.0f"},
	{name: "closed cores busy", format: "%.2f", plain: true},
	{name: "other cores", format: "%.2f", plain: true},
	{name: "closed other cores", format: "%.2f", plain: true},
	{name: "open other cores", format: "%.2f", plain: true},
	{name: "stolen cores", format: "%.2f", plain: true},
	{name: "open stolen cores", format: "%.2f", plain: true},
	{name: errorCount, format: "%.0f", progress: true, plain: true},
}

// printAll prints a table for each setting, then the targets.
func printAll(w io.Writer, results []result) {
	var settings []setting
	var arms []string
	for _, r := range results {
		if !slices.Contains(settings, r.setting) {
			settings = append(settings, r.setting)
		}
	}
	for _, name := range []string{"S", "C", "CT", "E", "L"} {
		if slices.ContainsFunc(results, func(r result) bool { return r.Arm == name }) {
			arms = append(arms, name)
		}
	}
	for _, r := range results {
		if !slices.Contains(arms, r.Arm) {
			arms = append(arms, r.Arm)
		}
	}
	fmt.Fprint(w, "\nMedian [smallest…largest] of the rounds; ratio of medians [smallest…largest ratio within one round].\n")
	for _, at := range settings {
		fmt.Fprintf(w, "\n### %s\n", at)
		for _, s := range scenes {
			printScene(w, results, at, s.name, arms)
		}
	}
	printTargets(w, results, settings)
}

func printScene(w io.Writer, results []result, at setting, scene string, all []string) {
	var arms []string
	for _, arm := range all {
		if slices.ContainsFunc(results, func(r result) bool { return r.setting == at && r.Scene == scene && r.Arm == arm }) {
			arms = append(arms, arm)
		}
	}
	if len(arms) == 0 {
		return
	}
	head := append([]string{"**" + scene + "**"}, arms...)
	for _, arm := range arms[1:] {
		head = append(head, arms[0]+"/"+arm)
	}
	fmt.Fprintf(w, "\n| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat(" --- |", len(head)))
	for _, f := range figures {
		cells, any := []string{f.name}, false
		for _, arm := range arms {
			of := pick(results, at, scene, arm, f.name)
			any = any || len(of) > 0
			cells = append(cells, of.cell(f))
		}
		for _, arm := range arms[1:] {
			ratio := ""
			if !f.plain {
				ratio = compare(pick(results, at, scene, arms[0], f.name), pick(results, at, scene, arm, f.name)).String()
			}
			cells = append(cells, ratio)
		}
		if any {
			fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
		}
	}
}

// values are those of one figure, by round.
type values map[int]float64

func pick(results []result, at setting, scene, arm, figure string) values {
	found := values{}
	for _, r := range results {
		if value, ok := r.Figures[figure]; ok && r.setting == at && r.Scene == scene && r.Arm == arm {
			found[r.Round] = value
		}
	}
	return found
}

func (v values) sorted() []float64 {
	var all []float64
	for _, value := range v {
		all = append(all, value)
	}
	slices.Sort(all)
	return all
}

func (v values) median() float64 {
	all := v.sorted()
	half := len(all) / 2
	if len(all)%2 == 1 {
		return all[half]
	}
	return (all[half-1] + all[half]) / 2
}

// cell shows the median and, where rounds differ, the smallest and the largest; of errors it shows the sum.
func (v values) cell(f figure) string {
	if len(v) == 0 {
		return "–"
	}
	if f.name == errorCount {
		sum := 0.0
		for _, value := range v {
			sum += value
		}
		return fmt.Sprintf(f.format, sum)
	}
	return spread(f.format, v.median(), v.sorted())
}

func spread(format string, middle float64, sorted []float64) string {
	low, high := fmt.Sprintf(format, sorted[0]), fmt.Sprintf(format, sorted[len(sorted)-1])
	if low == high {
		return low
	}
	return fmt.Sprintf(format, middle) + " [" + low + "…" + high + "]"
}

// ratio is that of two medians, and those within the rounds that have both.
type ratio struct {
	medians float64
	rounds  []float64
}

func compare(mine, theirs values) *ratio {
	if len(mine) == 0 || len(theirs) == 0 || theirs.median() == 0 {
		return nil
	}
	r := &ratio{medians: mine.median() / theirs.median()}
	for round, value := range mine {
		if other, ok := theirs[round]; ok && other != 0 {
			r.rounds = append(r.rounds, value/other)
		}
	}
	slices.Sort(r.rounds)
	return r
}

func (r *ratio) String() string {
	if r == nil {
		return "–"
	}
	format := "%.3g"
	if r.medians >= 100 {
		format = "%.0f"
	}
	if len(r.rounds) < 2 {
		return fmt.Sprintf(format, r.medians)
	}
	return spread(format, r.medians, r.rounds)
}

func readResults(path string) ([]result, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var results []result
	for decoder := json.NewDecoder(file); decoder.More(); {
		var r result
		if err := decoder.Decode(&r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		results = append(results, r)
	}
	return results, nil
}
