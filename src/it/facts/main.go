// Asks Kubernetes' own code what pods take of their nodes, for src/test/resources/kubernetes/pods.jsonl:
//
//	cd src/it && go run ./facts > ../test/resources/kubernetes/pods.jsonl
//
// Each line holds a pod and what the scheduler counts for it. Pods without a status are as somebody may write them
// into a file; those with one are as the API server stores them, after its defaulting.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

var random = rand.New(rand.NewSource(36))

var quantities = map[v1.ResourceName][]string{
	"cpu":                    {"0", "1", "100m", "250m", "1500m", "0.1", "2", "100u", "333333n", "1e-1"},
	"memory":                 {"0", "64Mi", "2Gi", "100M", "128m", "1500m", "999m", "1", "0.5", "1e9", "1.5Gi", "250u"},
	"ephemeral-storage":      {"0", "1Gi", "100M", "500m", "1m", "123456"},
	"hugepages-2Mi":          {"0", "2Mi", "1Gi"},
	"nvidia.com/gpu":         {"0", "1", "2", "4"},
	"nvidia.com/mig-1g.10gb": {"1", "3"},
	"example.com/odd":        {"1500m", "1m", "2k"},
}

// Finer than what the API server keeps; it rounds them before it adds them up, but not where it defaults pod levels.
var fine = map[string]bool{"100u": true, "333333n": true, "250u": true}

var resizable = []v1.ResourceName{"cpu", "memory"}

func pick(name v1.ResourceName, rough bool) resource.Quantity {
	for {
		text := quantities[name][random.Intn(len(quantities[name]))]
		if !rough || !fine[text] {
			return resource.MustParse(text)
		}
	}
}

func list(likely float64, rough bool, names ...v1.ResourceName) v1.ResourceList {
	var resources v1.ResourceList
	for _, name := range names {
		if random.Float64() < likely {
			if resources == nil {
				resources = v1.ResourceList{}
			}
			resources[name] = pick(name, rough)
		}
	}
	return resources
}

func names() []v1.ResourceName {
	return []v1.ResourceName{"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "nvidia.com/gpu",
		"nvidia.com/mig-1g.10gb", "example.com/odd"}
}

func container(name string, rough bool) v1.Container {
	requests := list(0.4, rough, names()...)
	limits := list(0.15, rough, names()...)
	if huge, asked := requests["hugepages-2Mi"]; asked {
		// The API server refuses anything else.
		if limits == nil {
			limits = v1.ResourceList{}
		}
		limits["hugepages-2Mi"] = huge
	}
	return v1.Container{Name: name, Resources: v1.ResourceRequirements{Requests: requests, Limits: limits}}
}

func pod(rough bool) *v1.Pod {
	pod := &v1.Pod{}
	for i := range 1 + random.Intn(3) {
		pod.Spec.Containers = append(pod.Spec.Containers, container(fmt.Sprintf("main-%d", i), rough))
	}
	for i := range random.Intn(4) {
		init := container(fmt.Sprintf("init-%d", i), rough)
		if random.Intn(2) == 0 {
			always := v1.ContainerRestartPolicyAlways
			init.RestartPolicy = &always
		}
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, init)
	}
	if random.Intn(3) == 0 {
		pod.Spec.Overhead = list(0.5, rough, "cpu", "memory", "ephemeral-storage")
	}
	return pod
}

func podLevel(pod *v1.Pod) {
	pod.Spec.Resources = &v1.ResourceRequirements{
		Requests: list(0.5, true, "cpu", "memory", "hugepages-2Mi"),
		Limits:   list(0.4, true, "cpu", "memory", "hugepages-2Mi"),
	}
	if random.Intn(8) == 0 && pod.Spec.Resources.Requests != nil {
		pod.Spec.Resources.Requests["nvidia.com/gpu"] = resource.MustParse("7")
	}
}

func state(spec v1.ResourceList) (*v1.ResourceRequirements, v1.ResourceList) {
	var allocated v1.ResourceList
	if random.Intn(4) > 0 {
		allocated = v1.ResourceList{}
		for name, quantity := range spec {
			allocated[name] = quantity
		}
		for name, quantity := range list(0.5, true, resizable...) {
			allocated[name] = quantity
		}
	}
	switch random.Intn(5) {
	case 0:
		return nil, allocated
	case 1:
		return &v1.ResourceRequirements{}, allocated
	default:
		return &v1.ResourceRequirements{Requests: list(0.7, true, resizable...)}, allocated
	}
}

func status(pod *v1.Pod) {
	states := func(containers []v1.Container) []v1.ContainerStatus {
		var told []v1.ContainerStatus
		for _, c := range containers {
			if random.Intn(6) > 0 {
				resources, allocated := state(c.Resources.Requests)
				told = append(told, v1.ContainerStatus{Name: c.Name, Resources: resources, AllocatedResources: allocated})
			}
		}
		random.Shuffle(len(told), func(i, j int) { told[i], told[j] = told[j], told[i] })
		return told
	}
	pod.Status.ContainerStatuses = states(pod.Spec.Containers)
	pod.Status.InitContainerStatuses = states(pod.Spec.InitContainers)
	if pod.Spec.Resources != nil && random.Intn(3) > 0 {
		pod.Status.Resources, pod.Status.AllocatedResources = state(pod.Spec.Resources.Requests)
	}
	pod.Status.Conditions = []v1.PodCondition{{Type: v1.PodReady, Status: v1.ConditionTrue, Reason: v1.PodReasonInfeasible}}
	if random.Intn(2) == 0 {
		reasons := []string{v1.PodReasonInfeasible, v1.PodReasonInfeasible, v1.PodReasonDeferred, ""}
		pod.Status.Conditions = append(pod.Status.Conditions,
			v1.PodCondition{Type: v1.PodResizePending, Status: v1.ConditionTrue, Reason: reasons[random.Intn(len(reasons))]})
	}
}

// slim keeps what counts.
func slim(pod *v1.Pod) map[string]any {
	resources := func(of v1.ResourceRequirements) map[string]any {
		told := map[string]any{}
		if of.Requests != nil {
			told["requests"] = of.Requests
		}
		if of.Limits != nil {
			told["limits"] = of.Limits
		}
		return told
	}
	containers := func(of []v1.Container) []any {
		told := []any{}
		for _, c := range of {
			one := map[string]any{"name": c.Name, "resources": resources(c.Resources)}
			if c.RestartPolicy != nil {
				one["restartPolicy"] = *c.RestartPolicy
			}
			told = append(told, one)
		}
		return told
	}
	states := func(of []v1.ContainerStatus) []any {
		told := []any{}
		for _, c := range of {
			one := map[string]any{"name": c.Name}
			if c.Resources != nil {
				one["resources"] = resources(*c.Resources)
			}
			if c.AllocatedResources != nil {
				one["allocatedResources"] = c.AllocatedResources
			}
			told = append(told, one)
		}
		return told
	}
	spec := map[string]any{"containers": containers(pod.Spec.Containers)}
	if pod.Spec.InitContainers != nil {
		spec["initContainers"] = containers(pod.Spec.InitContainers)
	}
	if pod.Spec.Overhead != nil {
		spec["overhead"] = pod.Spec.Overhead
	}
	if pod.Spec.Resources != nil {
		spec["resources"] = resources(*pod.Spec.Resources)
	}
	told := map[string]any{"spec": spec}
	if pod.Status.Conditions != nil {
		state := map[string]any{"containerStatuses": states(pod.Status.ContainerStatuses),
			"initContainerStatuses": states(pod.Status.InitContainerStatuses), "conditions": conditions(pod)}
		if pod.Status.Resources != nil {
			state["resources"] = resources(*pod.Status.Resources)
		}
		if pod.Status.AllocatedResources != nil {
			state["allocatedResources"] = pod.Status.AllocatedResources
		}
		told["status"] = state
	}
	return told
}

func conditions(pod *v1.Pod) []any {
	told := []any{}
	for _, c := range pod.Status.Conditions {
		told = append(told, map[string]any{"type": c.Type, "status": c.Status, "reason": c.Reason})
	}
	return told
}

func counted(pod *v1.Pod) map[string]int64 {
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		panic(err)
	}
	counted := info.CalculateResource().Resource
	total := map[string]int64{"cpu": counted.GetMilliCPU(), "memory": counted.GetMemory(),
		"ephemeral-storage": counted.GetEphemeralStorage()}
	for name, amount := range counted.GetScalarResources() {
		total[string(name)] = amount
	}
	for name, amount := range total {
		if amount == 0 {
			delete(total, name)
		}
	}
	return total
}

func main() {
	out := json.NewEncoder(os.Stdout)
	for i := range 500 {
		leveled := i%3 == 1
		running := i%2 == 1
		subject := pod(leveled || running)
		if leveled {
			podLevel(subject)
		}
		written := slim(subject)
		if running {
			corev1.SetObjectDefaults_Pod(subject)
			status(subject)
			written = slim(subject)
		}
		corev1.SetObjectDefaults_Pod(subject)
		if err := out.Encode(map[string]any{"pod": written, "total": counted(subject)}); err != nil {
			panic(err)
		}
	}
}
