// Command rig measures admission webhooks side by side: it starts each arm afresh for each scene, loads it, and prints
// medians over interleaved rounds, ratios of them, and what the ratios say of the project's targets.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const usage = `run: measures Sluice and its opponents side by side and says which targets are met.

  src/bench/rig/run                every scene on 1 CPU, 100 and 5,000 nodes, both modes, 3 rounds: about 3 h 45 min
  src/bench/rig/run --quick        one round of short scenes at 100 nodes: about 12 min
  src/bench/rig/run --cpus 1,2     the whole matrix: about 7 h 30 min
  src/bench/rig/run --scenes cold --nodes 100 --mode allocatable --arms S,CT \
      --arm 'O=/elsewhere/target/sluice/bin/sluice serve --config $CONFIG'
  src/bench/rig/run --print target/rig/runs/DIR/results.jsonl

Ctrl-C ends a run early; the table then holds what was measured until then. Relative paths start where it was called.
`

// options are what the command line says.
type options struct {
	root, out, java                 string
	arms, scenes, cpus, nodes, mode []string
	pods, rounds, connections       int
	churn, rate                     float64
	length, rest, trickle           time.Duration
	short, long, consoleWarm, wait  time.Duration
	further                         []arm
}

// setting is one column of the matrix: where and on what the arms are measured.
type setting struct {
	CPUs  int    `json:"cpus"`
	Nodes int    `json:"nodes"`
	Pods  int    `json:"pods"`
	Mode  string `json:"mode"`
}

func (s setting) String() string {
	return fmt.Sprintf("%d CPU, %d nodes, %d pods, %s", s.CPUs, s.Nodes, s.Pods, s.Mode)
}

func main() {
	err := run()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "rig:", err)
		os.Exit(1)
	}
}

func run() error {
	o := options{root: os.Getenv("RIG_ROOT"), java: os.Getenv("RIG_JAVA")}
	toPrint, err := o.parse(os.Args[1:])
	if err != nil {
		return err
	}
	if toPrint != "" {
		results, err := readResults(toPrint)
		if err != nil {
			return err
		}
		printAll(os.Stdout, results)
		return nil
	}
	m, err := newMachine(o)
	if err != nil {
		return err
	}
	err = m.measureAll()
	fmt.Printf("\n%d CPUs, %s; the results are in %s\n", m.processors, time.Now().UTC().Format("2006-01-02 15:04 MST"), o.out)
	printAll(os.Stdout, m.results)
	if table, failed := os.Create(filepath.Join(o.out, "table.md")); failed == nil {
		printAll(table, m.results)
		err = errors.Join(err, table.Close())
	}
	return err
}

func (o *options) parse(arguments []string) (toPrint string, err error) {
	flags := flag.NewFlagSet("rig", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage+"\nOptions (lists are by comma):\n")
		flags.PrintDefaults()
	}
	lists := map[*[]string]*string{
		&o.arms:   flags.String("arms", "S,C,CT,E,L", "built-in arms; E runs in after8 and steady only, L in lists only"),
		&o.scenes: flags.String("scenes", strings.Join(usualScenes(), ","), "scenes; there is consoles, too, which arm S and further ones play"),
		&o.cpus:   flags.String("cpus", "1", "CPUs that the arm may use, 1 or 2; on a machine with no more the driver shares them"),
		&o.nodes:  flags.String("nodes", "100,5000", "nodes of the cluster"),
		&o.mode:   flags.String("mode", "allocatable,available", "modes"),
	}
	flags.Func("arm", "a further `NAME=COMMAND`, run by exec in bash; README.md says what it finds in its environment", func(s string) error {
		name, command, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return errors.New("write NAME=COMMAND")
		}
		o.further = append(o.further, arm{name: name, command: command, judged: true, console: true})
		return nil
	})
	flags.IntVar(&o.rounds, "rounds", 3, "rounds; each begins with another arm")
	flags.IntVar(&o.pods, "pods", 0, "pods of the cluster; 0: ten for each node")
	flags.Float64Var(&o.churn, "churn", 0, "pod events per second; 0: 20 for 1,000 pods, 200 for 10,000 and more")
	flags.IntVar(&o.connections, "connections", 16, "connections of the closed loop")
	flags.Float64Var(&o.rate, "rate", 1000, "arrivals per second of the open loop")
	flags.DurationVar(&o.length, "for", 10*time.Second, "length of each closed and open loop")
	flags.DurationVar(&o.rest, "rest", time.Minute, "burst: the idle time before it; ten minutes are the real thing")
	flags.DurationVar(&o.trickle, "trickle", 2*time.Minute, "trickle: its length")
	flags.DurationVar(&o.short, "short-warm", 8*time.Second, "after8: its warm-up")
	flags.DurationVar(&o.long, "long-warm", time.Minute, "steady: its warm-up")
	flags.DurationVar(&o.consoleWarm, "console-warm", 4*time.Minute, "consoles: its warm-up, with open pages")
	flags.DurationVar(&o.wait, "wait", 2*time.Minute, "how long an arm may take until its first right answer")
	flags.StringVar(&o.out, "out", filepath.Join(o.root, "target/rig/runs", time.Now().Format("20060102-150405")), "directory for results and logs")
	flags.StringVar(&toPrint, "print", "", "print the tables of a `results.jsonl` and measure nothing")
	quick := flags.Bool("quick", false, "one round of short scenes at 100 nodes, where no option says otherwise")
	if err := flags.Parse(arguments); err != nil {
		return "", err
	}
	if flags.NArg() > 0 {
		return "", fmt.Errorf("%q is no option; see --help", flags.Arg(0))
	}
	if *quick {
		given := map[string]bool{}
		flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
		for name, value := range map[string]string{"rounds": "1", "for": "4s", "rest": "5s", "trickle": "20s", "long-warm": "15s", "console-warm": "15s", "nodes": "100"} {
			if !given[name] {
				flags.Set(name, value)
			}
		}
	}
	for list, value := range lists {
		*list = strings.FieldsFunc(*value, func(c rune) bool { return c == ',' })
	}
	for _, name := range o.scenes {
		if !slices.Contains(sceneNames(), name) {
			return "", fmt.Errorf("there is no scene %s; there are %s", name, strings.Join(sceneNames(), ", "))
		}
	}
	return toPrint, nil
}

// settings are the matrix.
func (o *options) settings() ([]setting, error) {
	var all []setting
	for _, cpus := range o.cpus {
		for _, nodes := range o.nodes {
			for _, mode := range o.mode {
				s := setting{Mode: mode, Pods: o.pods}
				var err1, err2 error
				s.CPUs, err1 = strconv.Atoi(cpus)
				s.Nodes, err2 = strconv.Atoi(nodes)
				if err := errors.Join(err1, err2); err != nil || s.CPUs < 1 || s.Nodes < 20 {
					return nil, fmt.Errorf("--cpus %s --nodes %s: write numbers, and at least 20 nodes", cpus, nodes)
				}
				if mode != "allocatable" && mode != "available" {
					return nil, fmt.Errorf("--mode %s: there are allocatable and available", mode)
				}
				if s.Pods == 0 {
					s.Pods = 10 * s.Nodes
				}
				all = append(all, s)
			}
		}
	}
	return all, nil
}

// measureAll runs everything round by round, so that what disturbs the machine for a while disturbs all arms alike.
func (m *machine) measureAll() error {
	settings, err := m.settings()
	if err != nil {
		return err
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	fmt.Printf("this takes about %s\n", m.expected(len(settings)).Round(time.Minute))
	for round := 1; round <= m.rounds; round++ {
		for _, at := range settings {
			for _, scene := range m.scenes {
				arms := m.armsOf(scene)
				for i := range arms {
					a := arms[(i+round-1)%len(arms)]
					r, err := m.measure(ctx, at, scene, a)
					if ctx.Err() != nil {
						return errors.New("stopped early")
					}
					if err != nil {
						// One arm that fails must not cost the night's run; the failure shows among the errors.
						fmt.Fprintf(os.Stderr, "rig: %s, %s, %s: %v\n", a.name, scene, at, err)
						r.Faults = map[string]int64{"failed": 1}
						r.Figures = map[string]float64{errorCount: 1}
					}
					r.setting, r.Scene, r.Arm, r.Round = at, scene, a.name, round
					if err := m.keep(r); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}
