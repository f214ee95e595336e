package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.doctor.facts.QueuedWorkloadFacts;
import dev.sluice.text.ShortText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Explains why pods and Jobs wait in Kueue or Volcano. Kueue holds pods back by a scheduling gate, and Jobs by
 * {@code spec.suspend}. Kueue creates a Workload for each of them, and the events of the Workload say what the pod or
 * Job waits for. Volcano creates the pods of a Job only when the Job's PodGroup is in the queue. Before that, the
 * events of the PodGroup show that the Job waits.
 */
final class QueuedWorkloads {

    /** The text that identifies an explanation about Kueue. {@link DiagnosisNextStep} searches for it. */
    static final String QUEUED = " Kueue starts it once ";

    /** The gates that Kueue sets start with this text. */
    static final String GATES = "kueue.x-k8s.io/";

    /**
     * The gate that a pod has after its Workload was admitted, until Kueue has chosen a part of the topology for the
     * pod.
     */
    private static final String TOPOLOGY = GATES + "topology";

    private static final String ADMITTED = "Admitted";

    /**
     * The reason of an event contains this text if Kueue has deactivated the Workload. Kueue does not queue a
     * deactivated Workload again.
     */
    private static final String DEACTIVATED = "Deactivated";

    private static final String JOB_SET_LABEL = "jobset.sigs.k8s.io/jobset-name";

    /**
     * Matches the name of a Workload for an object, such as a JobSet, that gets its pods or Jobs only after Kueue has
     * admitted it. Such objects are not collected, so only the events of their Workloads show that they exist.
     */
    private static final Pattern WITHOUT_PODS =
            Pattern.compile("(?:jobset|trainjob|appwrapper|sparkapplication|ray(?:job|cluster|service)"
                    + "|(?:pytorch|mpi|tf|xgboost|paddle|jax)job)-.+");

    /** Matches the name of a Workload that ends with a hash. */
    private static final Pattern WITH_HASH = Pattern.compile("[a-z]+-.+-[0-9a-f]{5}");

    /** Matches the name of a PodGroup of a Volcano Job: the name of the Job, followed by the UID of the Job. */
    private static final Pattern OF_VOLCANO_JOB = Pattern.compile("(.+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private static final String GROUP_LABEL = "kueue.x-k8s.io/pod-group-name";

    /** The maximum length of a label's value in a sentence. A label in a snapshot file can have any length. */
    private static final int LONGEST_NAME = 100;

    /**
     * Maps a Workload, by its namespace and name, to its newest event. Each Workload has a second entry under its name
     * without the hash.
     */
    private final Map<String, EventFacts> newest = new HashMap<>();

    private final ClusterFacts cluster;

    private final List<Queued> queued = new ArrayList<>();

    QueuedWorkloads(ClusterFacts cluster) {
        this.cluster = cluster;
        for (EventFacts event : cluster.events()) {
            if (event.kind().equals("Workload") && event.apiVersion().startsWith(GATES)) {
                String name = event.namespace() + "/" + event.name();
                newest.merge(name, event, QueuedWorkloads::later);
                int hash = name.lastIndexOf('-');
                if (hash > 0) {
                    newest.merge(name.substring(0, hash), event, QueuedWorkloads::later);
                }
            }
        }
        Map<String, EventFacts> current = new HashMap<>();
        cluster.queued()
                .forEach(workload -> workload.state().ifPresent(said -> {
                    EventFacts state = state(workload, said);
                    queued.add(new Queued(workload, state));
                    current.put(workload.namespace() + "/" + workload.name(), state);
                    current.merge(workload.namespace() + "/" + object(workload), state, QueuedWorkloads::later);
                }));
        newest.putAll(current);
    }

    /** A Workload, and the state from its status in the form of an event. */
    private record Queued(QueuedWorkloadFacts workload, EventFacts state) {}

    /** Returns the status of a Workload in the form of an event. */
    private static EventFacts state(QueuedWorkloadFacts workload, Message said) {
        return new EventFacts(
                GATES,
                "Workload",
                workload.namespace(),
                workload.name(),
                workload.uid(),
                said.reason(),
                said.text(),
                said.time(),
                "kueue",
                1);
    }

    /**
     * Returns the kind and name of the object for which a Workload was created, for example {@code job-train}. For a
     * group of pods, returns the name of the group.
     */
    private static String object(QueuedWorkloadFacts workload) {
        int hash = workload.name().lastIndexOf('-');
        return workload.owner()
                .map(owner -> owner.kind().toLowerCase(Locale.ROOT) + "-" + owner.name())
                .orElse(
                        hash > 0 && WITH_HASH.matcher(workload.name()).matches()
                                ? workload.name().substring(0, hash)
                                : workload.name());
    }

    /**
     * Returns the later of two events. If both have the same time, returns the admission, because Kueue admits a
     * Workload after it has reserved the quota.
     */
    private static EventFacts later(EventFacts one, EventFacts other) {
        EventFacts later = EventFacts.later(one, other);
        boolean same = !later.equals(one) && !EventFacts.later(other, one).equals(other);
        return same && one.reason().equals(ADMITTED) ? one : later;
    }

    /** Returns the sentences about a pod that has one of Kueue's gates, and adds the Workload to the evidence. */
    String ofPod(PodFacts pod, List<Evidence> evidence) {
        Map<String, String> labels = pod.ask().labels();
        String group = labels.getOrDefault(GROUP_LABEL, "");
        Stream<String> names = Stream.concat(
                Stream.of(group, "pod-" + pod.name(), "jobset-" + labels.getOrDefault(JOB_SET_LABEL, "")),
                pod.owner().stream().map(owner -> owner.kind().toLowerCase(Locale.ROOT) + "-" + owner.name()));
        Optional<EventFacts> said = names.filter(name -> !name.isEmpty())
                .map(name -> newest.get(pod.namespace() + "/" + name))
                .flatMap(Stream::ofNullable)
                .findFirst();
        boolean onlyTopology = pod.ask().gates().stream()
                .filter(gate -> gate.startsWith(GATES))
                .allMatch(TOPOLOGY::equals);
        return onlyTopology || isAdmitted(said)
                ? admitted("removed the gate", "the pod", said, evidence)
                : told(labels.getOrDefault(OwnerFacts.QUEUE_LABEL, ""), said, evidence);
    }

    private static boolean isAdmitted(Optional<EventFacts> said) {
        return said.filter(event -> event.reason().equals(ADMITTED)).isPresent();
    }

    /** Returns sentences about an object that still waits although Kueue has admitted its Workload. */
    private static String admitted(String todo, String object, Optional<EventFacts> said, List<Evidence> evidence) {
        return " Kueue has admitted its Workload and has not " + todo + " yet. If that lasts longer than a few seconds,"
                + " the log of Kueue's controller says why, for example because the API server refuses its change of "
                + object + "." + quoted(said, evidence);
    }

    /**
     * Returns the cause for a suspended Job. If no queue of Kueue is known for it, the cause says that somebody else
     * has to resume the Job.
     */
    DiagnosisCause ofJob(OwnerFacts job) {
        Optional<EventFacts> said = Stream.of("job-" + job.name(), "jobset-" + jobSet(job))
                .flatMap(name -> Stream.ofNullable(newest.get(job.namespace() + "/" + name)))
                .findFirst();
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(Evidence.ofSubject("spec.suspend is true"));
        boolean isQueued = !job.queue().isEmpty() || said.isPresent();
        return new DiagnosisCause(
                DiagnosisCode.SCHEDULING_GATED,
                "The Job is suspended (spec.suspend), so it has no pods."
                        + (!isQueued
                                ? resumed(job)
                                : isAdmitted(said)
                                        ? admitted("resumed the Job", "the Job", said, evidence)
                                        : told(job.queue(), said, evidence)),
                evidence);
    }

    /** Returns a sentence about who has to resume a suspended Job for which no queue of Kueue is known. */
    private static String resumed(OwnerFacts job) {
        String jobSet = ShortText.of(jobSet(job), LONGEST_NAME);
        return " It has no label " + OwnerFacts.QUEUE_LABEL + ", and nothing shows that a queue resumes it: "
                + (jobSet.isEmpty()
                        ? "whoever suspended it has to set spec.suspend to false."
                        : "if JobSet " + jobSet + " is suspended, set its spec.suspend to false.");
    }

    private static String jobSet(OwnerFacts job) {
        return job.template().labels().getOrDefault(JOB_SET_LABEL, "");
    }

    /**
     * Returns a verdict for each queued object that has no pods yet and gets no verdict as an owner. Such an object is
     * known only from its Workload, or from a recent event which says that the queue has too few GPUs.
     */
    List<PodDiagnosis> withoutPods() {
        Set<String> known = new HashSet<>();
        cluster.owners().forEach(owner -> known.add(owner.namespace() + "/jobset-" + jobSet(owner)));
        cluster.pods()
                .forEach(pod -> pod.owner().ifPresent(owner -> known.add(pod.namespace() + "/job-" + owner.name())));
        List<PodDiagnosis> waiting = new ArrayList<>(ofWorkloads(known));
        waiting.forEach(it -> known.add(it.fullName()));
        Map<String, EventFacts> last = new TreeMap<>();
        for (EventFacts event : cluster.events()) {
            objectOf(event)
                    .filter(_ -> !known.contains(event.namespace() + "/workload/" + event.name()))
                    .filter(object -> !known.contains(event.namespace() + "/" + object))
                    .ifPresent(_ -> last.merge(event.namespace() + "/" + event.name(), event, EventFacts::later));
        }
        last.values().stream()
                .filter(event -> cluster.isFresh(event.time()) && DiagnosedMessageGpus.areIn(event.text()))
                .filter(event ->
                        event.reason().equals("Pending") || event.reason().equals("Unschedulable"))
                .map(QueuedWorkloads::waiting)
                .forEach(waiting::add);
        return waiting;
    }

    /**
     * Returns a verdict for each waiting Workload whose object has no pods and gets no verdict as an owner.
     *
     * @param known the objects that have pods or get a verdict otherwise, as {@code namespace/kind-name}
     */
    private List<PodDiagnosis> ofWorkloads(Set<String> known) {
        Set<String> judged = new HashSet<>(known);
        cluster.owners().forEach(owner -> judged.add(owner.namespace() + "/job-" + owner.name()));
        for (PodFacts pod : cluster.pods()) {
            judged.add(pod.namespace() + "/pod-" + pod.name());
            judged.add(pod.namespace() + "/" + pod.ask().labels().getOrDefault(GROUP_LABEL, ""));
            pod.owner()
                    .ifPresent(owner -> judged.add(
                            pod.namespace() + "/" + owner.kind().toLowerCase(Locale.ROOT) + "-" + owner.name()));
        }
        return queued.stream()
                .filter(it -> it.workload().asksForDevices())
                .filter(it -> !it.state().reason().equals(ADMITTED))
                .filter(it -> !judged.contains(it.workload().namespace() + "/" + object(it.workload())))
                .map(it -> waiting(it.state(), it.workload().queue()))
                .toList();
    }

    /**
     * Returns the kind and name of the object that an event of Kueue or Volcano is about, for example
     * {@code job-train}. Returns empty if an event of Volcano names no GPU, because such an event only says that a
     * PodGroup is not ready.
     */
    private static Optional<String> objectOf(EventFacts event) {
        Matcher group = OF_VOLCANO_JOB.matcher(event.name());
        boolean byKueue = event.kind().equals("Workload") && event.apiVersion().startsWith(GATES);
        boolean byVolcano =
                event.kind().equals("PodGroup") && event.apiVersion().startsWith("scheduling.volcano.sh/");
        return byKueue && WITHOUT_PODS.matcher(event.name()).matches()
                ? Optional.of(event.name().substring(0, event.name().lastIndexOf('-')))
                : byVolcano && group.matches() && DiagnosedMessageGpus.areIn(event.text())
                        ? Optional.of("job-" + group.group(1))
                        : Optional.empty();
    }

    private static PodDiagnosis waiting(EventFacts event) {
        return waiting(event, "");
    }

    private static PodDiagnosis waiting(EventFacts event, String queue) {
        List<Evidence> evidence = new ArrayList<>();
        String text = event.kind().equals("Workload")
                ? told(queue, Optional.of(event), evidence).strip()
                : "Volcano creates the pods once the queue has room. It says: \"" + event.text() + "\".";
        if (evidence.isEmpty()) {
            evidence.add(Evidence.ofSubject(event.text()));
        }
        return PodDiagnosis.of(
                new DiagnosisCause.Subject(event.kind(), event.namespace(), event.name()),
                event.kind() + " " + event.namespace() + "/" + event.name() + " has no pods yet.",
                List.of(new DiagnosisCause(DiagnosisCode.SCHEDULING_GATED, text, evidence)),
                List.of());
    }

    private static String told(String queue, Optional<EventFacts> said, List<Evidence> evidence) {
        boolean inactive =
                said.filter(event -> event.reason().contains(DEACTIVATED)).isPresent();
        return (inactive
                        ? " Kueue has deactivated its Workload, and queues it again only once spec.active of the Workload is"
                                + " true."
                        : QUEUED
                                + (queue.isEmpty()
                                        ? "its queue admits the Workload"
                                        : "the queue " + ShortText.of(queue, LONGEST_NAME) + " admits its Workload")
                                + ".")
                + quoted(said, evidence);
    }

    /** Returns a sentence that quotes an event of a Workload, and adds the Workload to the evidence. */
    private static String quoted(Optional<EventFacts> said, List<Evidence> evidence) {
        said.ifPresent(
                event -> evidence.add(new Evidence("Workload", event.namespace() + "/" + event.name(), event.text())));
        return said.map(event -> " Kueue says of the Workload " + event.name() + " (" + event.reason() + "): \""
                        + event.text() + "\".")
                .orElse("");
    }
}
