package dev.sluice.lease;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DecideRequest;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.Ledger;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Makes decisions that reserve, in a cluster whose events the test sends. */
final class Desk {

    /** A stamp is a UUID. */
    private static final int STAMP_LENGTH = 36;

    static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    static final Policy DENY = PolicySwitches.with(
            Policy.DEFAULT,
            Policy.Mode.AVAILABILITY,
            Policy.WhenNotOffered.DENY,
            Policy.WhenExhausted.DENY,
            FallbackChains.NONE);

    private static final Policy WAIT = PolicySwitches.with(
            Policy.DEFAULT, Policy.Mode.AVAILABILITY, Policy.WhenClusterHasNoGpu.KEEP, FallbackChains.NONE);

    final Ledger ledger = new Ledger();
    private Instant now = NOON;
    final ReservingDecisions decisions;
    private int serial;

    /** Adds so many nodes with eight devices each. */
    Desk(int nodes) {
        this(IntStream.range(0, nodes)
                .mapToObj(i -> node("n" + i, Map.of(), machine(8)))
                .toList());
    }

    Desk(List<Node> nodes) {
        this(nodes, (_, _, _) -> {});
    }

    Desk(List<Node> nodes, ReservingDecisions.ReservationListener others) {
        decisions = new ReservingDecisions(ledger, () -> now, others);
        tell(new NodeEvent.NodesListed(nodes, 1));
        tell(new PodEvent.ListEnded(1, NOON));
    }

    static Amounts machine(long devices) {
        return Amounts.of(ResourceName.NVIDIA_GPU, devices)
                .plus(Amounts.of(ResourceName.CPU, 64_000))
                .plus(Amounts.of(ResourceName.PODS, 110));
    }

    static Node node(String name, Map<String, String> labels, Amounts amounts) {
        return new Node(name, labels, List.of(), /* unschedulable= */ false, amounts, amounts, 1);
    }

    void tell(ClusterEvent event) {
        var _ = ledger.apply(event);
    }

    void passes(int seconds) {
        passes(Duration.ofSeconds(seconds));
    }

    void passes(Duration time) {
        now = now.plus(time);
    }

    /** A request to the API server fails now. */
    void apiServerDoesNotAnswer() {
        decisions.doubt();
    }

    /** Every event up to now was sent. */
    void hearsAll() {
        tell(new PodEvent.PodsSyncedUpTo(now));
    }

    static PodRequest pod(long devices) {
        return pod(devices, 0, NodeConstraints.NONE);
    }

    static PodRequest pod(long devices, long cpus, NodeConstraints constraints) {
        Map<ResourceName, Quantity> asked = cpus == 0
                ? Map.of(ResourceName.NVIDIA_GPU, Quantity.of(devices))
                : Map.of(ResourceName.NVIDIA_GPU, Quantity.of(devices), ResourceName.CPU, Quantity.of(cpus));
        return new PodRequest(
                List.of(new ContainerRequest(PodContainerKind.MAIN, 0, "main", asked, asked)),
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                constraints,
                PodRequestAnnotations.NONE);
    }

    /** Some ask for one device each, in requests only, so that the answer says much about each. */
    static PodRequest manyContainers(int asking, int others) {
        List<ContainerRequest> containers = new ArrayList<>();
        for (int i = 0; i < asking + others; i++) {
            Map<ResourceName, Quantity> asked = i < asking
                    ? Map.of(ResourceName.NVIDIA_GPU, Quantity.of(1))
                    : Map.of(new ResourceName("example.com/none"), Quantity.ZERO);
            Map<ResourceName, Quantity> wide = new HashMap<>(asked);
            for (int key = 0; i < asking && key < 200; key++) {
                wide.put(new ResourceName("example.com/zero-" + key), Quantity.ZERO);
            }
            containers.add(new ContainerRequest(PodContainerKind.MAIN, i, "c" + i, null, wide));
        }
        PodRequest plain = pod(1);
        return new PodRequest(
                containers,
                plain.podLevel(),
                plain.overhead(),
                /* gated= */ false,
                plain.constraints(),
                PodRequestAnnotations.NONE);
    }

    static PodRequest bearing(String stamp, PodRequest pod) {
        return new PodRequest(
                pod.containers(),
                pod.podLevel(),
                pod.overhead(),
                pod.gated(),
                pod.constraints(),
                new PodRequestAnnotations(PodRequestAnnotations.Parent.ANNOTATIONS, Map.of(Pod.STAMP, stamp), 100));
    }

    DecideRequest question(String namespace, String name, PodRequest pod) {
        return asked(name, pod, new NamespacePolicy(DENY, Injector.NONE, namespace));
    }

    /** Pods wait when nothing is free. */
    DecideRequest waiting(String namespace, String name, PodRequest pod) {
        return asked(name, pod, new NamespacePolicy(WAIT, Injector.NONE, namespace));
    }

    /** What the pod may preempt does not count. */
    DecideRequest ignoringPreemption(String namespace, String name, PodRequest pod) {
        Policy policy = PolicySwitches.with(DENY, Policy.PreemptionMode.IGNORE);
        return asked(name, pod, new NamespacePolicy(policy, Injector.NONE, namespace));
    }

    /** A pod of this controller, whose name the API server generates. */
    DecideRequest owned(String namespace, PodOwner owner, PodRequest pod) {
        return named(namespace, owner, owner.name() + "-*", pod);
    }

    DecideRequest named(String namespace, PodOwner owner, String name, PodRequest pod) {
        return asked(name, pod, new NamespacePolicy(DENY, Injector.NONE, namespace), owner);
    }

    private DecideRequest asked(String name, PodRequest pod, NamespacePolicy policy) {
        return asked(name, pod, policy, PodOwner.NONE);
    }

    private DecideRequest asked(String name, PodRequest pod, NamespacePolicy policy, PodOwner owner) {
        return new DecideRequest(
                "uid-" + ++serial,
                name,
                owner,
                DecideRequest.ReviewEffect.REAL,
                pod,
                policy,
                new BusRequestDeadline(0));
    }

    Verdict decide(DecideRequest question) {
        return decisions.decide(question, ledger.snapshot()).verdict();
    }

    Verdict decide(String namespace, long devices) {
        return decide(question(namespace, "pod-" + serial, pod(devices)));
    }

    static boolean isGiven(Verdict verdict) {
        return verdict instanceof Verdict.Allowed;
    }

    /** Returns how many of so many pods are promised room. */
    @CanIgnoreReturnValue
    long promised(String namespace, int pods, long devices) {
        return IntStream.range(0, pods)
                .filter(_ -> isGiven(decide(namespace, devices)))
                .count();
    }

    /** The stamp in an answer; empty if there is none. */
    static String stamp(Verdict verdict) {
        List<String> found = new ArrayList<>();
        if (verdict instanceof Verdict.Allowed allowed) {
            allowed.patch().forEach(step -> {
                switch (step) {
                    case PatchOperation.Add add -> texts(add.value(), found);
                    case PatchOperation.Replace replace -> texts(replace.value(), found);
                    case PatchOperation.Remove _ -> {}
                }
            });
        }
        return found.stream()
                .filter(text -> text.length() == STAMP_LENGTH)
                .findFirst()
                .orElse("");
    }

    private static void texts(PatchOperation.Value value, List<String> found) {
        switch (value) {
            case PatchOperation.Text(String text) -> found.add(text);
            case PatchOperation.Members(Map<String, PatchOperation.Value> members) ->
                members.values().forEach(member -> texts(member, found));
        }
    }

    /** The pod appears and is not bound yet. */
    void appears(String name, long devices, String stamp) {
        appears(name, devices, stamp, NodeConstraints.NONE);
    }

    void appears(String name, long devices, String stamp, NodeConstraints constraints) {
        serial++;
        tell(new PodEvent.PodSeen(new Pod(
                PodId.of(name),
                name,
                new Pod.Place.Unbound(constraints, null),
                Amounts.of(ResourceName.NVIDIA_GPU, devices).plus(Amounts.of(ResourceName.PODS, 1)),
                stamp,
                100 + serial)));
    }

    void disappears(String name) {
        serial++;
        tell(new PodEvent.PodRemoved(PodId.of(name), name, "", 100 + serial));
    }
}
