// Command feed is a fake Kubernetes API server for measuring: generated nodes and pods, list, watch and churn.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"dev.sluice/rig/internal/fallback"
	"dev.sluice/rig/internal/shape"
)

func main() {
	nodes := flag.Int("nodes", 100, "nodes")
	pods := flag.Int("pods", 1000, "standing pods, spread evenly; ten or more a node make every layout complete")
	churn := flag.Float64("churn", 0, "pod events per second; node reports (nodes/300 per second) come with it")
	address := flag.String("address", "127.0.0.1:0", "address to listen on")
	kubeconfig := flag.String("kubeconfig", "kubeconfig", "kubeconfig to write")
	expect := flag.String("expect", "", "directory to write expect-allocatable.json and expect-available.json to")
	bookmarks := flag.Duration("bookmarks", 10*time.Second, "time between bookmarks")
	flag.Parse()

	store := newStore(*nodes, *pods)
	churner := newChurner(store, *nodes, *pods)
	if *expect != "" {
		writeExpectations(*expect, *nodes, *pods)
	}
	listener, err := net.Listen("tcp", *address)
	check(err)
	url := "http://" + listener.Addr().String()
	check(writeKubeconfig(*kubeconfig, url))
	s := &server{store: store, bookmarks: *bookmarks, pages: map[string]*page{}}
	if *churn > 0 {
		go churner.run(context.Background(), *churn, *nodes)
	}
	runtime.GC()
	fmt.Printf("feed: %d nodes, %d pods, %.0f events/s on %s\n", *nodes, *pods, *churn, url) // the caller waits for it
	check(http.Serve(listener, s.routes()))
}

// writeExpectations says what each GPU request must become, computed here from the layouts and nothing else.
func writeExpectations(dir string, nodes, pods int) {
	offered, available := shape.Amounts{}, shape.Amounts{}
	for n := range nodes {
		layout := shape.LayoutOf(n)
		free := shape.Amounts{}
		for name, count := range shape.Layouts[layout].Offers {
			offered[name], free[name] = max(offered[name], count), count
		}
		for slot := 0; slot*nodes+n < pods; slot++ {
			if ask := shape.AskOf(layout, slot); ask.Resource != "" && !ask.Ended {
				free[ask.Resource] -= ask.Count
			}
		}
		for name, count := range free {
			available[name] = max(available[name], count)
		}
	}
	for mode, has := range map[string]shape.Amounts{"allocatable": offered, "available": available} {
		table := map[string]string{}
		for _, name := range []string{shape.GPU, shape.Mig1g, shape.Mig2g, shape.Mig3g30, shape.Mig3g40} {
			table[name] = fallback.Choose(name, func(candidate string) bool { return has[candidate] >= 1 })
		}
		data, err := json.MarshalIndent(table, "", "  ")
		check(err)
		check(os.WriteFile(filepath.Join(dir, "expect-"+mode+".json"), append(data, '\n'), 0o644))
	}
}

func writeKubeconfig(path, url string) error {
	return os.WriteFile(path, fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters:
- name: rig
  cluster:
    server: %s
users:
- name: rig
  user:
    token: rig
contexts:
- name: rig
  context:
    cluster: rig
    user: rig
    namespace: default
current-context: rig
`, url), 0o600)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
