// Command flame draws a flame graph: collapsed stacks in ("a;b;c 12"), SVG out. Widths are shares of CPU time.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"html"
	"io"
	"log"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	width, row    = 1400.0, 15
	letter        = 6.2 // of the font below, in pixels
	narrowest     = 0.4 / 100
	top           = 2 * row
	reservedAbove = 4
)

// A frame and what it called. The root stands for the whole process.
type frame struct {
	samples int
	calls   map[string]*frame
}

func (f *frame) add(stack []string, samples int) {
	f.samples += samples
	if len(stack) == 0 {
		return
	}
	if f.calls == nil {
		f.calls = map[string]*frame{}
	}
	called := f.calls[stack[0]]
	if called == nil {
		called = &frame{}
		f.calls[stack[0]] = called
	}
	called.add(stack[1:], samples)
}

// drawn counts the rows of the frames that are wide enough.
func (f *frame) drawn(least int) int {
	deepest := 0
	for _, called := range f.calls {
		if called.samples >= least {
			deepest = max(deepest, 1+called.drawn(least))
		}
	}
	return deepest
}

var (
	thread   = regexp.MustCompile(`^\[(.*?)[-#\d\s]*( tid=\d+)?\]$`)
	compiled = regexp.MustCompile(`_\[[0-9a-z]+\]$`) // how async-profiler marks what the interpreter and each compiler ran
	lambda   = regexp.MustCompile(`(\$\$Lambda)[./][0-9a-fx]+`)
	packages = regexp.MustCompile(`^(?:[a-z0-9_]+/)+`)
)

func name(frame string) string {
	if match := thread.FindStringSubmatch(frame); match != nil {
		return "thread " + match[1]
	}
	return lambda.ReplaceAllString(compiled.ReplaceAllString(frame, ""), "$1")
}

func color(name string) string {
	for _, of := range []struct{ prefix, color string }{
		{"thread ", "#d0d0d0"}, {"dev/sluice/", "#7fb77e"}, {"io/netty/", "#e8b26a"}, {"io/vertx/", "#e39a8b"},
		{"com/fasterxml/", "#b9c46a"}, {"java/", "#8fb8de"}, {"jdk/", "#8fb8de"}, {"sun/", "#8fb8de"},
	} {
		if strings.HasPrefix(name, of.prefix) {
			return of.color
		}
	}
	return "#c9b6dd"
}

// read adds the stacks up. A broken line is an error that names it.
func read(in io.Reader) (*frame, error) {
	root := &frame{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		at := strings.LastIndex(lines.Text(), " ")
		samples, err := strconv.Atoi(lines.Text()[at+1:])
		if at < 0 || err != nil {
			return nil, fmt.Errorf("this is no collapsed stack: %.80q", lines.Text())
		}
		frames := strings.Split(lines.Text()[:at], ";")
		for i := range frames {
			frames[i] = name(frames[i])
		}
		root.add(frames, samples)
	}
	return root, lines.Err()
}

type drawing struct {
	out   io.Writer
	root  *frame
	least int
}

// calls draws what f called, from x on, in the row at y.
func (d drawing) calls(f *frame, x float64, y int) {
	names := make([]string, 0, len(f.calls))
	for called := range f.calls {
		names = append(names, called)
	}
	slices.Sort(names)
	for _, name := range names {
		called := f.calls[name]
		wide := width * float64(called.samples) / float64(d.root.samples)
		if called.samples >= d.least {
			d.box(name, called.samples, x, wide, y)
			d.calls(called, x, y+row)
		}
		x += wide
	}
}

func (d drawing) box(name string, samples int, x, wide float64, y int) {
	share := 100 * float64(samples) / float64(d.root.samples)
	fmt.Fprintf(d.out, `<g><title>%s: %.1f %%</title><rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`,
		html.EscapeString(name), share, x, y, max(wide-0.4, 0.2), row-1, color(name))
	if fits := int((wide - 4) / letter); fits >= 3 {
		short := packages.ReplaceAllString(name, "")
		if len(short) > fits {
			short = short[:fits-2] + ".."
		}
		fmt.Fprintf(d.out, `<text x="%.1f" y="%d">%s</text>`, x+2, y+row-reservedAbove, html.EscapeString(short))
	}
	fmt.Fprintln(d.out, "</g>")
}

func draw(out io.Writer, root *frame, title string) {
	least := max(1, int(float64(root.samples)*narrowest))
	height := top + row*(root.drawn(least)+1)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="monospace" font-size="10.3">
<rect width="100%%" height="100%%" fill="#ffffff"/>
<text x="4" y="18" font-size="13">%s</text>
`, width, height, html.EscapeString(title))
	drawing{out, root, least}.calls(root, 0, top)
	fmt.Fprintln(out, "</svg>")
}

func main() {
	log.SetFlags(0)
	title := flag.String("title", "CPU time", "what stands above the graph")
	flag.Parse()
	root, err := read(os.Stdin)
	if err == nil && root.samples == 0 {
		err = fmt.Errorf("there is no stack to draw")
	}
	if err != nil {
		log.Fatal("flame: ", err)
	}
	out := bufio.NewWriter(os.Stdout)
	draw(out, root, *title)
	if err := out.Flush(); err != nil {
		log.Fatal("flame: ", err)
	}
}
