package dev.sluice.it;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Runs the gateway's pods as processes of this machine, one look after the other: starts what is scheduled, starts
 * again what has ended, tells whether it is ready, and ends what is deleted. What an image stands for, a test says.
 */
final class Kubelet {

    private static final long LOOK_NANOS = Duration.ofMillis(300).toNanos();

    /** Starts the gateway of a pod. */
    interface Image {
        Gateway run(Pod pod) throws IOException;
    }

    /** One moment: which pods were ready, and of which image those were that had just been deleted. */
    record Seen(Set<String> ready, Set<String> gone) {}

    private final KubernetesClient client;
    private final Image image;
    private final Map<String, Gateway> running = new HashMap<>();
    private final Map<String, Gateway> started = new ConcurrentHashMap<>();
    private final Set<String> ready = new HashSet<>();
    private final List<Seen> history = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean stopped;
    private final AtomicInteger restarts = new AtomicInteger();
    private final AtomicInteger addresses = new AtomicInteger();

    Kubelet(KubernetesClient client, Image image) {
        this.client = client;
        this.image = image;
        thread = Thread.ofPlatform().name("kubelet").start(this::work);
    }

    private void work() {
        while (!stopped) {
            try {
                look();
            } catch (IOException | KubernetesClientException later) {
                // The next look may see more.
            } catch (InterruptedException ended) {
                return;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void look() throws IOException, InterruptedException {
        Map<String, Pod> there = new HashMap<>();
        for (Pod pod : pods()) {
            if (pod.getMetadata().getDeletionTimestamp() == null) {
                there.put(pod.getMetadata().getName(), pod);
            }
        }
        Set<String> gone = running.keySet().stream()
                .filter(name -> !there.containsKey(name))
                .collect(Collectors.toSet());
        history.add(new Seen(Set.copyOf(ready), Set.copyOf(gone)));
        for (String name : gone) {
            ready.remove(name);
            Objects.requireNonNull(running.remove(name)).stop();
        }
        for (Pod pod : there.values()) {
            if (pod.getSpec().getNodeName() != null) {
                attend(pod);
            }
        }
    }

    private void attend(Pod pod) throws IOException, InterruptedException {
        String name = pod.getMetadata().getName();
        Gateway gateway = running.get(name);
        if (gateway == null) {
            Gateway begun = image.run(pod);
            running.put(name, begun);
            started.put(name, begun);
        } else if (!gateway.daemon().isAlive()) {
            restarts.incrementAndGet();
            gateway.daemon().start();
        }
        boolean isReady = gateway != null && isReady(gateway);
        if (isReady ? ready.add(name) : ready.remove(name) || gateway == null) {
            tell(pod, isReady);
        }
    }

    private static boolean isReady(Gateway gateway) throws InterruptedException {
        try {
            return gateway.daemon().isAlive() && gateway.isReady();
        } catch (IOException notYet) {
            return false;
        }
    }

    private void tell(Pod pod, boolean isReady) {
        String status = isReady ? "True" : "False";
        String address = Optional.ofNullable(pod.getStatus().getPodIP())
                .orElseGet(() -> "10.244.0." + addresses.incrementAndGet());
        var _ = client.resource(pod).editStatus(found -> {
            found.setStatus(new PodStatusBuilder(found.getStatus())
                    .withPhase("Running")
                    .withPodIP(address)
                    .withPodIPs(new PodIP(address))
                    .removeMatchingFromConditions(
                            condition -> Set.of("Ready", "ContainersReady").contains(condition.getType()))
                    .addToConditions(
                            new PodConditionBuilder()
                                    .withType("ContainersReady")
                                    .withStatus(status)
                                    .build(),
                            new PodConditionBuilder()
                                    .withType("Ready")
                                    .withStatus(status)
                                    .build())
                    .withContainerStatuses(new ContainerStatusBuilder()
                            .withName("gateway")
                            .withImage("sluice")
                            .withImageID("")
                            .withReady(isReady)
                            .withStarted(true)
                            .withRestartCount(0)
                            .build())
                    .build());
            return found;
        });
    }

    private List<Pod> pods() {
        return client.pods()
                .inNamespace(Account.NAMESPACE)
                .withLabel("app", "gpu-webhook")
                .list()
                .getItems();
    }

    /** What was started for that pod, also when the pod has gone: whoever has not heard of that still calls it. */
    Optional<Gateway> gateway(String pod) {
        return Optional.ofNullable(started.get(pod));
    }

    /** By name, of those that have not been deleted. */
    Map<String, String> images() {
        Map<String, String> images = new HashMap<>();
        for (Pod pod : pods()) {
            if (pod.getMetadata().getDeletionTimestamp() == null) {
                images.put(pod.getMetadata().getName(), image(pod));
            }
        }
        return images;
    }

    private static String image(Pod pod) {
        return pod.getSpec().getContainers().getFirst().getImage();
    }

    /** By name. */
    Set<String> readyPods() {
        return history.isEmpty() ? Set.of() : history.getLast().ready();
    }

    List<Seen> history() {
        return new ArrayList<>(history);
    }

    /** How often something was started that had ended by itself. */
    int restarts() {
        return restarts.get();
    }

    void stop() throws InterruptedException {
        stopped = true;
        thread.join();
        for (Gateway gateway : running.values()) {
            gateway.kill();
        }
    }
}
