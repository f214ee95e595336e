package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.ShortText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Explains why pods and Jobs wait in Kueue. Kueue holds back pods by a scheduling gate, and Jobs by
 * {@code spec.suspend}. It creates a Workload for each of them, and the events of the Workload say what it waits for.
 * The name of the Workload is the kind and name of the queued object, followed by a hash, or the name of the pod group.
 */
final class QueuedWorkloads {

    /** The text that identifies an explanation about Kueue. {@link DiagnosisNextStep} searches for it. */
    static final String QUEUED = " Kueue starts it once ";

    /** The gates that Kueue sets start with this text. */
    static final String GATES = "kueue.x-k8s.io/";

    private static final String GROUP_LABEL = "kueue.x-k8s.io/pod-group-name";

    /** The maximum length of a label's value in a sentence. A label in a file can have any length. */
    private static final int LONGEST_NAME = 100;

    /**
     * Holds the newest event of each Workload. The key is the namespace and name of the Workload. A second entry has
     * the name without its hash.
     */
    private final Map<String, EventFacts> newest = new HashMap<>();

    QueuedWorkloads(ClusterFacts cluster) {
        for (EventFacts event : cluster.events()) {
            if (event.kind().equals("Workload") && event.apiVersion().startsWith(GATES)) {
                String name = event.namespace() + "/" + event.name();
                newest.merge(name, event, EventFacts::later);
                int hash = name.lastIndexOf('-');
                if (hash > 0) {
                    newest.merge(name.substring(0, hash), event, EventFacts::later);
                }
            }
        }
    }

    /** Returns the sentences about a pod that has one of Kueue's gates, and adds the Workload to the evidence. */
    String ofPod(PodFacts pod, List<Evidence> evidence) {
        Map<String, String> labels = pod.ask().labels();
        String group = labels.getOrDefault(GROUP_LABEL, "");
        Optional<EventFacts> said = Stream.of(group, "pod-" + pod.name())
                .filter(name -> !name.isEmpty())
                .map(name -> newest.get(pod.namespace() + "/" + name))
                .flatMap(Stream::ofNullable)
                .findFirst();
        return told(labels.getOrDefault(OwnerFacts.QUEUE_LABEL, ""), said, evidence);
    }

    /** Returns the cause for a suspended Job; empty if nothing shows that Kueue suspended it. */
    Optional<DiagnosisCause> ofJob(OwnerFacts job) {
        Optional<EventFacts> said = Optional.ofNullable(newest.get(job.namespace() + "/job-" + job.name()));
        if (!job.suspended() || (job.queue().isEmpty() && said.isEmpty())) {
            return Optional.empty();
        }
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(Evidence.ofSubject("spec.suspend is true"));
        return Optional.of(new DiagnosisCause(
                DiagnosisCode.SCHEDULING_GATED,
                "The Job is suspended (spec.suspend), so it has no pods." + told(job.queue(), said, evidence),
                evidence));
    }

    private static String told(String queue, Optional<EventFacts> said, List<Evidence> evidence) {
        said.ifPresent(
                event -> evidence.add(new Evidence("Workload", event.namespace() + "/" + event.name(), event.text())));
        return QUEUED
                + (queue.isEmpty()
                        ? "its queue admits the Workload"
                        : "the queue " + ShortText.of(queue, LONGEST_NAME) + " admits its Workload")
                + "."
                + said.map(event -> " Kueue says of the Workload " + event.name() + " (" + event.reason() + "): \""
                                + event.text() + "\".")
                        .orElse("");
    }
}
