package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

func TestEachPageLoadsFollowsTheStreamAndEnds(t *testing.T) {
	var streams, asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/console/":
			fmt.Fprint(w, `<script src="d/main.js"></script>`)
		case "/console/d/main.js", "/api/v1/decisions":
			asked.Add(1)
		case "/api/v1/fleet":
			fmt.Fprint(w, `{"version": "v1"}`)
		case "/api/v1/events":
			if asked := r.URL.Query(); asked.Get("fleet") != "v1" || asked.Get("perSecond") == "" {
				t.Errorf("the stream begins at %s", r.URL)
			}
			streams.Add(1)
			fmt.Fprint(w, "id: 1\nevent: decision\ndata: {}\n\n")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			streams.Add(-1)
		}
	}))
	defer server.Close()
	opened, err := openPages(context.Background(), server.Listener.Addr().(*net.TCPAddr).Port)
	if err != nil {
		t.Fatal(err)
	}
	if streams.Load() != consoles || asked.Load() < 2*consoles {
		t.Errorf("%d streams, %d files and lists", streams.Load(), asked.Load())
	}
	if err := opened.close(); err != nil {
		t.Fatal(err)
	}
	for limit := time.Now().Add(10 * time.Second); streams.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("streams stay open")
		}
	}
}

func TestAPageThatIsRefusedIsTold(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	if _, err := openPages(context.Background(), server.Listener.Addr().(*net.TCPAddr).Port); err == nil {
		t.Error("nothing is told")
	}
}

func TestTheHeapIsThatOfAllGenerations(t *testing.T) {
	used, err := heapMiB(`4778:
DefNew     total 11136K, used 1024K [0x1, 0x2)
 eden space 9920K,  10% used [0x1, 0x2)
Tenured    total 12288K, used 3072K [0x3, 0x4)
 the  space 12288K,  25% used [0x3, 0x4)
Metaspace       used 30000K, committed 31000K, reserved 90000K
`)
	if err != nil || used != 4 {
		t.Errorf("%v, %v", used, err)
	}
	if _, err := heapMiB("no heap"); err == nil {
		t.Error("nothing is told")
	}
}
