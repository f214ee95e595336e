package main

import (
	"slices"
	"testing"
	"time"
)

func TestQuickYieldsToWhatIsWritten(t *testing.T) {
	var o options
	if _, err := o.parse([]string{"--rest", "7s", "--quick"}); err != nil {
		t.Fatal(err)
	}
	if o.rest != 7*time.Second || o.rounds != 1 || !slices.Equal(o.nodes, []string{"100"}) {
		t.Errorf("%+v", o)
	}
}

func TestWhatDoesNotExistIsRefused(t *testing.T) {
	for _, arguments := range [][]string{{"--scenes", "warm"}, {"--arm", "=x"}, {"extra"}} {
		var o options
		if _, err := o.parse(arguments); err == nil {
			t.Errorf("%q is taken", arguments)
		}
	}
	for _, o := range []options{
		{cpus: []string{"0"}, nodes: []string{"100"}, mode: []string{"available"}},
		{cpus: []string{"1"}, nodes: []string{"many"}, mode: []string{"available"}},
		{cpus: []string{"1"}, nodes: []string{"100"}, mode: []string{"free"}},
	} {
		if _, err := o.settings(); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
