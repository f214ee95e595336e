package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.PodState;
import dev.sluice.text.CountText;
import dev.sluice.text.FirstFiveNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Explains why the containers of a pod do not run although the pod is bound to a node. */
final class ContainerStartRule {

    /**
     * Limits how long the start of a container may take without an image pull. A longer start is reported. Volumes and
     * networks are usually ready earlier.
     */
    private static final Duration USUAL_START = Duration.ofMinutes(5);

    /**
     * Limits how long the start of a container may take with an image pull. GPU images can have tens of gigabytes, so a
     * pull may take long.
     */
    private static final Duration LONGEST_PULL = Duration.ofMinutes(30);

    /** Limits the age of a failure that is reported for a pod in the phase Failed. Such a pod does not start again. */
    private static final Duration RECENT = Duration.ofHours(1);

    private static final long MANY_RESTARTS = 3;
    private static final long HALF_A_MINUTE = 30;

    /**
     * Lists the init containers that only wait for another pod of their workload. KubeRay adds one to its workers.
     * Kubeflow adds one to the workers of a PyTorchJob. A PyTorchJob has two entries, because old operators set other
     * labels on its pods.
     */
    private static final List<Awaited> AWAITED = List.of(
            new Awaited("wait-gcs-ready", "ray.io/cluster", "ray.io/node-type", "head", "the head of its RayCluster"),
            new Awaited(
                    "init-pytorch",
                    "training.kubeflow.org/job-name",
                    "training.kubeflow.org/replica-type",
                    "master",
                    "the master of its PyTorchJob"),
            new Awaited(
                    "init-pytorch",
                    "pytorch-job-name",
                    "pytorch-replica-type",
                    "master",
                    "the master of its PyTorchJob"));

    /**
     * Describes an init container that waits for another pod.
     *
     * @param workload the label that has the same value on all pods of the workload
     * @param role the label that has the value {@code awaited} on the pod that the init container waits for
     */
    private record Awaited(String container, String workload, String role, String awaited, String title) {

        boolean holdsBack(PodFacts pod) {
            return pod.state().trouble().equals("init container " + container + " has not ended")
                    && pod.ask().labels().containsKey(workload);
        }

        /** Returns a key for the workload of a pod; empty if the pod lacks the label of the workload. */
        Optional<List<String>> workloadOf(PodFacts pod) {
            return Optional.ofNullable(pod.ask().labels().get(workload))
                    .map(name -> List.of(workload, pod.namespace(), name));
        }

        boolean isFor(PodFacts other) {
            return !other.hasEnded() && awaited.equals(other.ask().labels().get(role));
        }
    }

    /**
     * Describes the pods for which the other pods of a workload wait. All waiting pods share one description.
     *
     * @param evidence the first five of the described pods; empty if all of them are ready
     */
    private record AwaitedPods(boolean ready, String states, List<Evidence> evidence) {

        static AwaitedPods of(List<PodFacts> pods) {
            if (pods.isEmpty()) {
                return new AwaitedPods(/* ready= */ false, "there is no pod of it", List.of());
            }
            boolean ready = pods.stream().allMatch(PodFacts::isRunningAndReady);
            String states = FirstFiveNames.of(pods.stream()
                    .map(it -> "pod " + it.fullName() + " is " + state(it)
                            + Optional.ofNullable(it.unscheduled())
                                    .map(said -> " (\"" + said.text() + "\")")
                                    .orElse(""))
                    .toList());
            List<Evidence> evidence = pods.stream()
                    .limit(ready ? 0 : FirstFiveNames.MOST)
                    .map(it -> new Evidence("Pod", it.fullName(), state(it)))
                    .toList();
            return new AwaitedPods(ready, states, evidence);
        }
    }

    private static final String CREATING = "ContainerCreating";
    private static final String CONFIG = "CreateContainerConfigError";
    private static final String PREPARE = "FailedPrepareDynamicResources";
    private static final String DRIVER = "DRA driver ";

    /**
     * The first part of the name of a Deployment that the DRA driver creates for the MPS control daemon of a claim. The
     * UID of the claim follows.
     */
    private static final String MPS_DAEMON = "mps-control-daemon-";

    private static final int LENGTH_OF_UID = 36;

    /** The runtime's message contains this text if no CDI file describes a device that the kubelet names. */
    private static final String UNRESOLVABLE = "unresolvable CDI devices";

    /** The kubelet's message contains this text if {@code status.reservedFor} of the claim does not name the pod. */
    private static final String NOT_RESERVED = "not allowed to use";

    /**
     * Matches the messages of containerd, CRI-O and NVIDIA's tools which show that the runtime or the devices of a node
     * are not set up.
     */
    private static final Pattern RUNTIME = Pattern.compile(
            "(?i)no runtime for|runtime handler|cdi device|nvidia-container-(cli|runtime)|nvidia-ctk|device driver .* with"
                    + " capabilities");

    /**
     * Matches a requirement of the image that the driver of the node does not meet, in a message of NVIDIA's container
     * toolkit.
     */
    private static final Pattern REQUIREMENT = Pattern.compile("unsatisfied condition: ([a-z]+ ?[<>]=? ?[0-9.]+)");

    /** Matches the error for a program or an image that was not built for the processor of the node. */
    private static final Pattern PLATFORM = Pattern.compile("(?i)exec format error|no match for platform");

    /**
     * Matches the errors of a container that cannot start because its memory limit is too low. One of these errors
     * reports that a hook, such as NVIDIA's, was killed.
     */
    private static final Pattern TOO_LITTLE_MEMORY = Pattern.compile(
            "(?i)oom[- ]killed|memory limit too low|cannot allocate memory|running hook[^:]*: (?:error running hook: )?exit"
                    + " status 137");

    /**
     * Matches the error if the image lacks the program that the container runs, or if the program cannot be run.
     * Programs of NVIDIA do not match, because the container toolkit adds them to the container.
     */
    private static final Pattern NO_PROGRAM =
            Pattern.compile("exec: \"(?!nvidia)(?:[^\"]*/)?(?!nvidia)[^\"/]+\": (?:executable"
                    + " file not found|stat [^:]+: no such file|permission denied)");

    private static final Pattern NO_SPACE = Pattern.compile("(?i)no space left on device");

    /** Matches {@code secret "a" not found}, and {@code couldn't find key k in Secret team/a}. */
    private static final Pattern MISSING_OBJECT =
            Pattern.compile("(?i)\\b(secret|configmap) (?:\"([a-z0-9.-]+)\" not found|[a-z0-9-]+/([a-z0-9.-]+))");

    /**
     * Lists the waiting reasons of containers that have failed and are not running. The pod can be in the phase Running
     * at the same time, so the phase alone does not show the problem.
     */
    private static final Set<String> STOPPED = Set.of(
            "CrashLoopBackOff",
            CONFIG,
            "CreateContainerError",
            "ErrImageNeverPull",
            "ErrImagePull",
            "ImageInspectError",
            "ImagePullBackOff",
            "InvalidImageName",
            "RunContainerError");

    private final ClusterFacts cluster;
    private final Map<String, DiagnosedNode> nodes;
    private final PodStartFailures failures;

    /**
     * Maps the full name of a pod to the newest event about the start of an image pull. The kubelet reports the start
     * only once, so the event is used for as long as a pull may take.
     */
    private final Map<String, EventFacts> pulls = new HashMap<>();

    /** Maps the full name of a pod to the newest event that reports the end of an image pull, successful or not. */
    private final Map<String, EventFacts> pullEnds = new HashMap<>();

    /** Maps a workload to the pods for which its other pods wait. */
    private final Map<List<String>, List<PodFacts>> awaitedPods = new HashMap<>();

    private final Map<List<String>, AwaitedPods> described = new HashMap<>();

    /**
     * Creates the rule.
     *
     * @param nodes the nodes by their names
     */
    ContainerStartRule(ClusterFacts cluster, Map<String, DiagnosedNode> nodes) {
        this.cluster = cluster;
        this.nodes = nodes;
        failures = new PodStartFailures(cluster);
        for (PodFacts pod : cluster.pods()) {
            AWAITED.stream()
                    .filter(what -> what.isFor(pod))
                    .flatMap(what -> what.workloadOf(pod).stream())
                    .forEach(workload -> awaitedPods
                            .computeIfAbsent(workload, _ -> new ArrayList<>())
                            .add(pod));
        }
        for (EventFacts event : cluster.events()) {
            if (event.kind().equals("Pod") && canMatter(event.time())) {
                String pod = event.namespace() + "/" + event.name();
                if (PodStartFailures.isFailure(event.reason()) || event.reason().equals("Pulled")) {
                    pullEnds.merge(pod, event, EventFacts::later);
                } else if (event.reason().equals("Pulling")) {
                    pulls.merge(pod, event, EventFacts::later);
                }
            }
        }
    }

    private boolean canMatter(@Nullable Instant said) {
        return said == null || cluster.isWithin(said, LONGEST_PULL);
    }

    /**
     * Returns the entry of {@link #AWAITED} whose init container holds the pod back; empty if there is none. Any other
     * init container may work for hours, for example to load a model.
     */
    private static Optional<Awaited> awaited(PodFacts pod) {
        return AWAITED.stream().filter(it -> it.holdsBack(pod)).findFirst();
    }

    /** Returns true if an init container has failed, and the kubelet neither starts it again nor ends the pod. */
    private static boolean hasLostItsInit(PodFacts pod) {
        return pod.state().trouble().startsWith(PodState.INIT_ENDED);
    }

    /** Returns true if the kubelet has reported no container of the pod yet. */
    private static boolean isUnseen(PodFacts pod) {
        return pod.state().trouble().equals(PodState.UNSEEN);
    }

    /** Returns true if all nodes are known, and the pod's node is none of them. */
    private boolean isOnMissingNode(PodFacts pod) {
        return cluster.has(ClusterFactKind.NODES)
                && cluster.unread().stream().noneMatch(it -> it.plural().equals(ClusterFactKind.NODES.plural()))
                && !nodes.containsKey(pod.nodeName());
    }

    /** Returns a sentence about why the kubelet has reported no container of the pod yet. */
    private String kubelet(PodFacts pod) {
        String unreported = " The kubelet has reported no container of it";
        if (isOnMissingNode(pod)) {
            return unreported + ": there is no node " + pod.nodeName()
                    + ". Whoever wrote that name into spec.nodeName has"
                    + " to name a node that exists, or to leave the choice to the scheduler.";
        }
        DiagnosedNode node = nodes.get(pod.nodeName());
        if (node != null && node.facts().ready().isNotTrue()) {
            return unreported + ": node " + node.name() + " is not ready ("
                    + node.facts().ready().why() + "), so its kubelet does not answer.";
        }
        return unreported + ", so it does not know the pod or does not get on: look at the log of the kubelet of node "
                + pod.nodeName() + ", and restart it.";
    }

    /** Returns true if a container of the pod has failed and is not running. */
    static boolean hasStopped(PodFacts pod) {
        return STOPPED.contains(pod.state().trouble()) || hasNeverStarted(pod);
    }

    private static boolean hasNeverStarted(PodFacts pod) {
        return PodState.NEVER_STARTED.contains(pod.state().trouble());
    }

    /** Returns true if the pod has recently failed because the runtime could not start one of its containers. */
    static boolean hasFailedToStart(PodFacts pod, ClusterFacts cluster) {
        Instant failed = pod.state().start().failed();
        return pod.isBound()
                && pod.state().phase().equals("Failed")
                && hasNeverStarted(pod)
                && (failed == null || cluster.isWithin(failed, RECENT));
    }

    /**
     * Returns the reason why the containers do not run; empty if they run, or may still start within the usual time.
     */
    Optional<DiagnosisCause> find(PodFacts pod) {
        boolean stopped = hasStopped(pod);
        Optional<EventFacts> failure = failures.of(pod);
        boolean begins = pod.state().phase().equals("Pending")
                && (!pod.state().start().waiting().isEmpty()
                        || failure.isPresent()
                        || awaited(pod).isPresent()
                        || hasLostItsInit(pod)
                        || isUnseen(pod));
        if (!stopped && !begins) {
            return Optional.empty();
        }
        boolean pulling = !stopped
                && PodStartFailures.own(pulls, pod)
                        .filter(pull -> PodStartFailures.own(pullEnds, pod)
                                .filter(end -> endsPull(end, pull))
                                .isEmpty())
                        .isPresent();
        boolean late = isOlderThan(pod, pulling ? LONGEST_PULL : USUAL_START)
                || pod.state().start().restarts() >= MANY_RESTARTS
                || pod.hasEnded()
                || (isUnseen(pod) && isOnMissingNode(pod));
        return late || (stopped && age(pod) == null) ? Optional.of(cause(pod, failure)) : Optional.empty();
    }

    /**
     * Returns true if the event {@code end} shows that the pull has ended. The kubelet starts the containers of a pod
     * one after another, so any later event about an image shows this. Event times have a precision of one second. If
     * both times are equal, both events must name the same image.
     */
    private static boolean endsPull(EventFacts end, EventFacts pull) {
        boolean later = EventFacts.later(end, pull).equals(end);
        boolean earlier = !later && EventFacts.later(pull, end).equals(pull);
        return later || (!earlier && !image(pull).isEmpty() && image(end).equals(image(pull)));
    }

    /** Returns the image that an event quotes; empty if it quotes nothing. */
    private static String image(EventFacts event) {
        int start = event.text().indexOf('"');
        int end = event.text().indexOf('"', start + 1);
        return start < 0 || end < 0 ? "" : event.text().substring(start + 1, end);
    }

    /** Returns a sentence about the progress of a pod that may start soon; empty if nothing is known. */
    String soFar(PodFacts pod) {
        String waiting = pod.state().start().waiting();
        return waiting.isEmpty()
                ? ""
                : " Its " + waiting + " is " + pod.state().trouble()
                        + message(pod, failures.of(pod))
                                .map(said -> ": \"" + said + "\"")
                                .orElse("") + ".";
    }

    private @Nullable Duration age(PodFacts pod) {
        Instant bound = pod.state().start().bound();
        Instant now = cluster.time();
        return bound == null || now == null ? null : Duration.between(bound, now);
    }

    private static String minutes(Duration age) {
        long minutes = age.plusSeconds(HALF_A_MINUTE).toMinutes();
        return minutes + " " + CountText.noun(minutes, "minute");
    }

    private boolean isOlderThan(PodFacts pod, Duration limit) {
        Duration age = age(pod);
        return age != null && age.compareTo(limit) > 0;
    }

    private static Optional<String> message(PodFacts pod, Optional<EventFacts> failure) {
        return failure.map(EventFacts::text)
                .or(() -> Optional.of(pod.state().start().message()).filter(text -> !text.isEmpty()));
    }

    private DiagnosisCause cause(PodFacts pod, Optional<EventFacts> failure) {
        Duration age = age(pod);
        String waiting = pod.state().start().waiting();
        Optional<String> said = message(pod, failure);
        String times = failure.filter(event -> event.count() > 1)
                .map(event -> " (" + event.count() + " times)")
                .orElse("");
        StringBuilder text = new StringBuilder((age == null || pod.hasEnded()
                        ? "The pod is bound to node " + pod.nodeName()
                        : "The pod has been bound to node " + pod.nodeName() + " for " + minutes(age))
                + (pod.hasEnded() ? " and has failed" : " and does not run"));
        text.append(standsAt(pod, waiting))
                .append(restarts(pod))
                .append('.')
                .append(said.map(it -> " The kubelet says" + times + ": \"" + it + "\".")
                        .orElseGet(() -> isUnseen(pod)
                                ? kubelet(pod)
                                : " No recent message of the kubelet about it was found."));
        String end = pod.state().start().lastEnd();
        text.append(end.isEmpty() ? "" : " It ended last with " + end + ".");
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(new Evidence("Pod", pod.fullName(), said.orElse("does not run on " + pod.nodeName())));
        if (isUnseen(pod) && nodes.containsKey(pod.nodeName())) {
            evidence.add(new Evidence("Node", pod.nodeName(), "its kubelet has reported nothing of " + pod.fullName()));
        }
        boolean told = isUnseen(pod) && said.isEmpty();
        text.append(awaited(pod)
                .map(what -> waitsFor(pod, what, evidence))
                .orElseGet(() -> told ? "" : hint(pod, failure, said.orElse(""), evidence)));
        return new DiagnosisCause(DiagnosisCode.NOT_RUNNING, text.toString(), evidence);
    }

    /**
     * Returns a sentence about the pods that this pod waits for. Adds those pods to the evidence, or this pod if all of
     * them are ready.
     */
    private String waitsFor(PodFacts pod, Awaited what, List<Evidence> evidence) {
        List<String> workload = what.workloadOf(pod).orElseThrow();
        AwaitedPods others =
                described.computeIfAbsent(workload, _ -> AwaitedPods.of(awaitedPods.getOrDefault(workload, List.of())));
        if (others.ready()) {
            evidence.add(new Evidence("Pod", pod.fullName(), pod.state().trouble()));
        }
        evidence.addAll(others.evidence());
        return " It waits for " + what.title() + ": " + others.states() + "."
                + (others.ready()
                        ? " The log of the init container " + what.container()
                                + " says why it does not reach it, for example because its name cannot be resolved."
                        : "");
    }

    /** Returns a clause about the container that keeps the pod from running; empty if no such container is known. */
    private static String standsAt(PodFacts pod, String waiting) {
        if (!waiting.isEmpty()) {
            return ": its " + waiting + " is " + pod.state().trouble();
        }
        if (awaited(pod).isPresent()) {
            return ": its " + pod.state().trouble();
        }
        return hasLostItsInit(pod) ? ": " + pod.state().trouble() + ", and the kubelet does not go on" : "";
    }

    private static String restarts(PodFacts pod) {
        long restarts = pod.state().start().restarts();
        return restarts == 0 ? "" : " after " + restarts + (restarts == 1 ? " restart" : " restarts");
    }

    private String hint(PodFacts pod, Optional<EventFacts> failure, String said, List<Evidence> evidence) {
        DiagnosedNode node = nodes.get(pod.nodeName());
        String notReady = node != null && node.facts().ready().isNotTrue()
                ? " Node " + node.name() + " is not ready, so its kubelet may be what does not answer."
                : "";
        boolean prepare =
                failure.filter(event -> event.reason().equals(PREPARE)).isPresent()
                        || said.contains(DRIVER)
                        || (!pod.ask().claims().isEmpty() && said.contains("CDI device"));
        if (said.contains(NOT_RESERVED)) {
            return notReady
                    + " The claim is not reserved for this pod. The scheduler reserves claims, and a pod that is"
                    + " created with spec.nodeName does not go through the scheduler.";
        }
        if (prepare) {
            return notReady + driver(pod, node, said, evidence);
        }
        Optional<String> missing = missingObject(said);
        if (missing.isPresent() || pod.state().trouble().equals(CONFIG)) {
            return notReady
                    + missing.map(it -> (pod.state().trouble().equals(CONFIG) ? " The container" : " The pod")
                                    + " needs the " + it + " in namespace " + pod.namespace() + ".")
                            .orElse("");
        }
        Matcher required = REQUIREMENT.matcher(said);
        if (required.find()) {
            return notReady + " The image requires " + required.group(1) + driverVersion(node)
                    + ": use an image for that driver, or install a newer driver on the node.";
        }
        String own = notTheToolkit(pod, said, node);
        if (!own.isEmpty()) {
            return notReady + own;
        }
        boolean runtime = hasNeverStarted(pod)
                || pod.state().trouble().equals("CreateContainerError")
                || pod.state().trouble().equals("RunContainerError")
                || RUNTIME.matcher(said).find();
        return notReady
                + (runtime
                        ? " Look at the container toolkit and the driver of node " + pod.nodeName() + "."
                        : pod.state().trouble().equals(CREATING) && said.isEmpty()
                                ? " The log of the kubelet of node " + pod.nodeName() + " says what it waits for."
                                : "");
    }

    /**
     * Returns a sentence about a start that fails because of something other than the container toolkit, for example
     * the image or a full disk; empty if no such reason is known.
     */
    private static String notTheToolkit(PodFacts pod, String said, @Nullable DiagnosedNode node) {
        String arch = node == null ? "" : node.label("kubernetes.io/arch");
        if (PLATFORM.matcher(said).find()) {
            return " The image is made for another processor than that of node " + pod.nodeName()
                    + (arch.isEmpty() ? "" : " (" + arch + ")")
                    + ": use an image for it, or select nodes with kubernetes.io/arch.";
        }
        if (TOO_LITTLE_MEMORY.matcher(said).find()) {
            return " The memory limit of the container is too low to start it: raise it.";
        }
        if (NO_PROGRAM.matcher(said).find()) {
            return " The image has no such program that can be run: correct the command of the container or the image.";
        }
        return NO_SPACE.matcher(said).find()
                ? " A disk of node " + pod.nodeName() + " is full."
                : StartFailureMeaning.of(said, pod.nodeName());
    }

    /**
     * Returns a clause which says that the node's driver does not meet the requirement of the image. The clause
     * contains the versions of the driver and of CUDA if the node's labels show them.
     */
    private static String driverVersion(@Nullable DiagnosedNode node) {
        String driver = node == null ? "" : GpuHardware.driverOf(node);
        String cuda = node == null ? "" : GpuHardware.cudaOf(node);
        return ", which the driver of the node does not offer"
                + (driver.isEmpty() ? "" : " (version " + driver + (cuda.isEmpty() ? "" : ", CUDA " + cuda) + ")");
    }

    /** Returns the Secret or ConfigMap that a message of the kubelet names, for example {@code Secret token}. */
    private static Optional<String> missingObject(String said) {
        Matcher found = MISSING_OBJECT.matcher(said);
        if (!found.find()) {
            return Optional.empty();
        }
        String kind = found.group(1).equalsIgnoreCase("secret") ? "Secret " : "ConfigMap ";
        return Optional.of(kind + (found.group(2) == null ? found.group(3) : found.group(2)));
    }

    /**
     * Returns a sentence about the DRA driver that has to prepare the devices of the pod's claims. Adds the claims and
     * the pods of the driver to the evidence. The name of the driver is taken from the message {@code said}.
     */
    private String driver(PodFacts pod, @Nullable DiagnosedNode node, String said, List<Evidence> evidence) {
        List<String> claims = pod.ask().claims().stream()
                .map(use -> use.claim() == null ? use.name() : use.claim())
                .toList();
        claims.forEach(claim -> evidence.add(
                new Evidence("ResourceClaim", pod.namespace() + "/" + claim, "its devices are not prepared")));
        int start = said.indexOf(DRIVER);
        int end = start < 0 ? -1 : said.indexOf(' ', start + DRIVER.length());
        String name = end < 0 ? "" : " " + said.substring(start + DRIVER.length(), end);
        List<PodFacts> drivers = node == null
                ? List.of()
                : node.plugins().drivers().stream().filter(it -> !it.hasEnded()).toList();
        return " The DRA driver" + name + " has to prepare the devices of "
                + (claims.isEmpty() ? "the pod's claim" : "the claim " + FirstFiveNames.of(claims)) + " on that node: "
                + (drivers.isEmpty() ? "no pod of a DRA driver is there" : states(drivers, evidence))
                + "."
                + besides(node, drivers, evidence)
                + lostDevices(pod, drivers, said)
                + mpsDaemon(said);
    }

    /**
     * Returns a sentence about the MPS control daemon of a claim if the driver waits for the daemon and the daemon's
     * pod cannot be created; empty otherwise.
     */
    private String mpsDaemon(String said) {
        return cluster.events().stream()
                .filter(event -> event.kind().equals("ReplicaSet")
                        && event.reason().equals("FailedCreate")
                        && cluster.isFresh(event.time()))
                .filter(event -> event.name().startsWith(MPS_DAEMON)
                        && event.name().length() >= MPS_DAEMON.length() + LENGTH_OF_UID
                        && said.contains(
                                event.name().substring(MPS_DAEMON.length(), MPS_DAEMON.length() + LENGTH_OF_UID)))
                .reduce(EventFacts::later)
                .map(event -> " The driver waits for the pod of ReplicaSet " + event.namespace() + "/" + event.name()
                        + ", which cannot be created" + PodStartFailures.quoted(event.text()) + ".")
                .orElse("");
    }

    /**
     * Returns a sentence about the pods that the driver may wait for, and adds them to the evidence. They are the pods
     * in the driver's namespace on this node that are not ready. For example, NVIDIA's driver runs a daemon for each
     * ComputeDomain and waits for it. Returns an empty text if a pod of the driver itself is not ready.
     */
    private static String besides(@Nullable DiagnosedNode node, List<PodFacts> drivers, List<Evidence> evidence) {
        if (node == null || !drivers.stream().allMatch(PodFacts::isRunningAndReady)) {
            return "";
        }
        List<PodFacts> others = node.use().bound().stream()
                .filter(pod -> !pod.state().ready())
                .filter(pod ->
                        drivers.stream().anyMatch(driver -> driver.namespace().equals(pod.namespace())))
                .toList();
        return others.isEmpty() ? "" : " The driver may wait for what is beside it: " + states(others, evidence) + ".";
    }

    /** Returns the states of pods in a sentence, and adds the pods to the evidence. */
    private static String states(List<PodFacts> pods, List<Evidence> evidence) {
        pods.forEach(it -> evidence.add(new Evidence("Pod", it.fullName(), state(it))));
        return FirstFiveNames.of(pods.stream()
                .map(it -> "pod " + it.fullName() + " is " + state(it))
                .toList());
    }

    /**
     * Returns advice if the runtime does not find the prepared devices although the driver is ready. After a restart of
     * the node, the kubelet assumes that the devices are still prepared, and does not ask the driver again.
     */
    private static String lostDevices(PodFacts pod, List<PodFacts> drivers, String said) {
        boolean ready = !drivers.isEmpty() && drivers.stream().allMatch(PodFacts::isRunningAndReady);
        return ready && said.contains(UNRESOLVABLE)
                ? " The kubelet may have had them prepared before the node was restarted: delete the pod "
                        + pod.fullName() + ", so that a new one has them prepared again."
                : "";
    }

    private static String state(PodFacts driver) {
        String trouble = driver.state().trouble();
        return driver.state().phase() + ", " + (driver.state().ready() ? "ready" : "not ready")
                + (trouble.isEmpty() ? "" : ": " + trouble);
    }
}
