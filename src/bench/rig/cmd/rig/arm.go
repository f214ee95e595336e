package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// arm is one webhook that is measured.
type arm struct {
	name, command string
	judged        bool     // Its answers are held against what is right.
	only          []string // The scenes it runs in; all but lists and consoles if empty.
	console       bool     // It has a management port with a console.
}

// builtIn are the arms that this folder brings, and the product.
func builtIn(o options) []arm {
	bin := filepath.Join(o.root, "target/rig/bin")
	informer := " -kubeconfig $KUBECONFIG -port $PORT -certs $CERT_DIR $AVAILABLE"
	return []arm{
		{name: "S", judged: true, console: true, command: filepath.Join(o.root, "target/sluice/bin/sluice") + " serve --config $CONFIG"},
		{name: "C", judged: true, command: bin + "/arminformer" + informer},
		{name: "CT", judged: true, command: bin + "/arminformer-tuned -tuned" + informer},
		{name: "E", only: []string{"after8", "steady"}, command: o.java +
			" ${E_JAVA_OPTS:--Xmx128m -XX:+UseSerialGC} --enable-native-access=ALL-UNNAMED -cp '" +
			filepath.Join(o.root, "target/rig/echo/echo.jar") + ":" + filepath.Join(o.root, "target/rig/echo/lib/*") + "' dev.sluice.echo.Echo $TLS_CERT $TLS_KEY $PORT"},
		{name: "L", judged: true, only: []string{"lists"}, command: bin +
			"/armlist -kubeconfig $KUBECONFIG -address 127.0.0.1:$PORT -cert $TLS_CERT -key $TLS_KEY $AVAILABLE"},
	}
}

// process is one that the rig has started.
type process struct {
	command *exec.Cmd
	started time.Time
	ended   chan struct{}
}

// start runs a command on the given CPUs. taskset and bash become the command by exec, so that its pid is the server's.
func start(cpus, command string, environment []string, output *os.File) (*process, error) {
	c := exec.Command("taskset", "-c", cpus, "bash", "-c", "exec "+command)
	c.Env, c.Stderr, c.Stdout = environment, output, output
	// Ctrl-C reaches the rig only, which then ends its processes itself.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	p := &process{command: c, started: time.Now(), ended: make(chan struct{})}
	if err := c.Start(); err != nil {
		return nil, err
	}
	go func() {
		c.Wait()
		close(p.ended)
	}()
	return p, nil
}

func (p *process) pid() int { return p.command.Process.Pid }

// stop asks the process to end and kills it after ten seconds.
func (p *process) stop() {
	p.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(10 * time.Second):
		p.command.Process.Kill()
		<-p.ended
	}
}

// startFeed starts the fake API server and waits until it serves.
func (m *machine) startFeed(at setting) (*process, error) {
	churn := m.churn
	if churn == 0 {
		churn = min(200, float64(at.Pods)/50)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	feed, err := start(m.otherCPUs(at), fmt.Sprintf("%s -nodes %d -pods %d -churn %g -kubeconfig %s -expect %s 2>>%s",
		filepath.Join(m.root, "target/rig/bin/feed"), at.Nodes, at.Pods, churn, m.kubeconfig(), m.out, filepath.Join(m.out, "feed.log")),
		os.Environ(), writer)
	writer.Close()
	if err != nil {
		return nil, err
	}
	if _, err := bufio.NewReader(reader).ReadString('\n'); err != nil {
		feed.stop()
		return nil, errors.New("the feed does not start; feed.log tells why")
	}
	return feed, nil
}

// startArm starts an arm on a free port and gives the URL of its webhook.
func (m *machine) startArm(at setting, a arm) (p *process, url string, err error) {
	port, management := freePort(), freePort()
	m.management = management
	log, err := os.OpenFile(filepath.Join(m.out, a.name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, "", err
	}
	defer log.Close()
	certificates := filepath.Join(m.root, "target/rig/certs")
	config, mode, available := filepath.Join(m.out, "gateway.yaml"), "allocatable", ""
	if at.Mode == "available" {
		mode, available = "availability", "-available"
	}
	content := fmt.Sprintf(`webhook: { host: 127.0.0.1, port: %d }
management: { host: 127.0.0.1, port: %d }
tls: { certificate: %[3]s/tls.crt, key: %[3]s/tls.key }
kubernetes: { kubeconfig: %[4]s }
policy: { mode: %[5]s }
`, port, management, certificates, m.kubeconfig(), mode)
	if err := os.WriteFile(config, []byte(content), 0o644); err != nil {
		return nil, "", err
	}
	environment := append(os.Environ(), "PORT="+strconv.Itoa(port), "MGMT_PORT="+strconv.Itoa(management),
		"KUBECONFIG="+m.kubeconfig(), "CERT_DIR="+certificates, "TLS_CERT="+certificates+"/tls.crt", "TLS_KEY="+certificates+"/tls.key",
		"CONFIG="+config, "MODE="+at.Mode, "AVAILABLE="+available)
	p, err = start(cpuList(0, at.CPUs), a.command, environment, log)
	return p, fmt.Sprintf("https://127.0.0.1:%d/mutate?timeout=10s", port), err
}

func (m *machine) kubeconfig() string { return filepath.Join(m.out, "kubeconfig") }

// otherCPUs are the CPUs that an arm leaves to feed and driver; where it leaves none, all.
func (m *machine) otherCPUs(at setting) string {
	if at.CPUs >= m.processors {
		return cpuList(0, m.processors)
	}
	return cpuList(at.CPUs, m.processors)
}

func cpuList(from, to int) string {
	var list []string
	for i := from; i < to; i++ {
		list = append(list, strconv.Itoa(i))
	}
	return strings.Join(list, ",")
}

func freePort() int {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}
