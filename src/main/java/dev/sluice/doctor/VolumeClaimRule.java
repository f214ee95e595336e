package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.CountText;
import dev.sluice.text.FirstFiveNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Says why the volumes of a pod are missing. The scheduler says only that they are, and waits up to ten minutes for a
 * volume that is to be made for a node, without saying anything. The events of the claims say why.
 */
final class VolumeClaimRule {

    static final String KIND = "PersistentVolumeClaim";

    /**
     * The reason of an event that somebody else has to make the volume. It counts only if no other event tells more.
     */
    private static final String AWAITED = "ExternalProvisioning";

    /** The scheduler says this of a volume that is bound and cannot be used on the node. */
    private static final String ELSEWHERE = "volume node affinity conflict";

    private static final Set<String> FAILURES =
            Set.of("ProvisioningFailed", "FailedBinding", "VolumeMismatch", "ClaimLost", "ClaimMisbound");

    /** Holds the newest recent event that tells what a claim lacks, by the full name of the claim. */
    private final Map<String, EventFacts> failures = new HashMap<>();

    private final Map<String, EventFacts> awaited = new HashMap<>();

    VolumeClaimRule(ClusterFacts cluster) {
        for (EventFacts event : cluster.events()) {
            if (event.kind().equals(KIND) && cluster.isFresh(event.time())) {
                String claim = event.namespace() + "/" + event.name();
                if (FAILURES.contains(event.reason())) {
                    failures.merge(claim, event, EventFacts::later);
                } else if (event.reason().equals(AWAITED)) {
                    awaited.merge(claim, event, EventFacts::later);
                }
            }
        }
    }

    /** Returns what the claims of a pod lack that the scheduler keeps off all nodes because of its volumes. */
    Optional<DiagnosisCause> find(PodFacts pod, String schedulerSays) {
        List<String> claims = pod.volumeClaims();
        return claims.isEmpty()
                ? Optional.empty()
                : Optional.of(cause(
                        pod,
                        "The pod uses " + CountText.noun(claims.size(), KIND) + " " + FirstFiveNames.of(claims) + "."
                                + (schedulerSays.contains(ELSEWHERE)
                                        ? " The nodeAffinity of its PersistentVolume says where it can be used: run the pod"
                                                + " where GPUs are in that place, or make the volume anew where they are."
                                        : ""),
                        newest(pod, failures).or(() -> newest(pod, awaited))));
    }

    /** Returns the cause for a pod that has room on a node and waits for a volume that cannot be made. */
    Optional<DiagnosisCause> waitsForVolume(PodFacts pod) {
        return newest(pod, failures)
                .map(event -> cause(
                        pod,
                        "A node has room for the pod, and the scheduler places it once the volume of " + KIND + " "
                                + event.name() + " is there.",
                        Optional.of(event)));
    }

    private static DiagnosisCause cause(PodFacts pod, String lead, Optional<EventFacts> said) {
        return new DiagnosisCause(
                DiagnosisCode.CONSTRAINT_MISMATCH,
                lead
                        + said.map(event -> " The newest event of " + event.name() + " (" + event.reason() + "): \""
                                        + event.text() + "\".")
                                .orElse(""),
                said.map(event -> new Evidence(KIND, pod.namespace() + "/" + event.name(), event.text())).stream()
                        .toList());
    }

    private static Optional<EventFacts> newest(PodFacts pod, Map<String, EventFacts> events) {
        return pod.volumeClaims().stream()
                .flatMap(claim -> Stream.ofNullable(events.get(pod.namespace() + "/" + claim)))
                .reduce(EventFacts::later);
    }
}
