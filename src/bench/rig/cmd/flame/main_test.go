package main

import (
	"strings"
	"testing"
)

func TestStacksAreAddedUpWhateverCompiledThem(t *testing.T) {
	root, err := read(strings.NewReader("[loop-0 tid=1];a/B.c_[0];x 1\n[loop-1 tid=2];a/B.c_[j];y 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	called := root.calls["thread loop"]
	if root.samples != 3 || called == nil || called.calls["a/B.c"] == nil || called.calls["a/B.c"].samples != 3 {
		t.Errorf("the stacks were not added up: %+v", root)
	}
}

func TestABoxIsAsWideAsItsShare(t *testing.T) {
	root, err := read(strings.NewReader("a 1\nb<c> 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	var svg strings.Builder
	draw(&svg, root, "title")
	for _, part := range []string{`<title>a: 25.0 %</title><rect x="0.0" y="30" width="349.6"`,
		`<title>b&lt;c&gt;: 75.0 %</title><rect x="350.0" y="30" width="1049.6"`} {
		if !strings.Contains(svg.String(), part) {
			t.Errorf("%s is missing in %s", part, svg.String())
		}
	}
}

func TestABrokenLineIsNamed(t *testing.T) {
	for _, line := range []string{"a;b", "a;b many", ""} {
		if _, err := read(strings.NewReader("a 1\n" + line + "\n")); err == nil || !strings.Contains(err.Error(), line) {
			t.Errorf("%q: %v", line, err)
		}
	}
}
