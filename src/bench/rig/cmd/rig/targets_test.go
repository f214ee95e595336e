package main

import (
	"strings"
	"testing"
)

var here = setting{CPUs: 1, Nodes: 100, Pods: 1000, Mode: "allocatable"}

func of(arm, scene, figure string, rounds ...float64) []result {
	var results []result
	for i, value := range rounds {
		results = append(results, result{setting: here, Scene: scene, Arm: arm, Round: i + 1, Figures: map[string]float64{figure: value}})
	}
	return results
}

func join(parts ...[]result) (all []result) {
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

func TestVerdicts(t *testing.T) {
	cpu, keepsUp, perCPU := targets[0], targets[2], targets[8]
	for name, c := range map[string]struct {
		target   target
		results  []result
		measured string
		verdict  string
	}{
		"met":              {cpu, join(of("S", "cold", cpu.figure, 9, 10, 30), of("CT", "cold", cpu.figure, 10, 10, 10)), "1 [0.9…3] × CT", "met"},
		"gate held":        {cpu, join(of("S", "cold", cpu.figure, 15), of("CT", "cold", cpu.figure, 10), of("C", "cold", cpu.figure, 20)), "1.5 × CT, 0.75 × C", "gate held"},
		"missed":           {cpu, join(of("S", "cold", cpu.figure, 30), of("CT", "cold", cpu.figure, 10), of("C", "cold", cpu.figure, 20)), "3 × CT, 1.5 × C", "**missed**"},
		"no opponent":      {cpu, of("S", "cold", cpu.figure, 30), "–", "not measured"},
		"the worst round":  {keepsUp, of("S", "cold", keepsUp.figure, 0, 0, 0.2), "0.2", "**missed**"},
		"at least":         {perCPU, join(of("S", "after8", perCPU.figure, 21), of("CT", "after8", perCPU.figure, 10)), "2.1 × CT", "met"},
		"at least, missed": {perCPU, join(of("S", "after8", perCPU.figure, 9), of("CT", "after8", perCPU.figure, 10)), "0.9 × CT", "**missed**"},
	} {
		measured, verdict := c.target.judge(c.results, here)
		if measured != c.measured || verdict != c.verdict {
			t.Errorf("%s: %s, %s", name, measured, verdict)
		}
	}
}

// A figure that is misspelt in a target, or missing in the table, would never be measured, and nobody would notice.
func TestTargetsNameFiguresOfTheTable(t *testing.T) {
	known := map[string]bool{}
	for _, f := range figures {
		known[f.name] = true
	}
	for _, target := range targets {
		if !known[target.figure] || !strings.Contains(strings.Join(sceneNames(), " "), target.scene) {
			t.Errorf("%s", target)
		}
	}
}

func TestAnErrorIsShown(t *testing.T) {
	var out strings.Builder
	printAll(&out, of(product, "cold", errorCount, 0, 3))
	if !strings.Contains(out.String(), "| errors = 0 | all scenes, with their warm-ups | 3 | **missed** |") {
		t.Error(out.String())
	}
}
