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
 * Explains why the volumes of a pod are missing. The scheduler says only that they are missing. If a volume still has
 * to be created for a node, the scheduler waits for it for up to ten minutes and says nothing. The events of the claims
 * give the reason.
 */
final class VolumeClaimRule {

    static final String KIND = "PersistentVolumeClaim";

    /**
     * The reason of an event which says that another component has to create the volume. The event is used only if no
     * other event gives a reason.
     */
    private static final String AWAITED = "ExternalProvisioning";

    /** The scheduler's message contains this text if a volume is bound but cannot be used on the node. */
    private static final String ELSEWHERE = "volume node affinity conflict";

    private static final Set<String> FAILURES =
            Set.of("ProvisioningFailed", "FailedBinding", "VolumeMismatch", "ClaimLost", "ClaimMisbound");

    /** Maps the full name of a claim to the newest recent event about a failure of the claim. */
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

    /**
     * Returns the cause for a pod that fits no node because of its volumes. The cause names the claims and quotes the
     * newest event about one of them. Returns empty if the pod uses no claims.
     */
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

    /** Returns the cause if the pod fits a node but waits for a volume that cannot be created; empty otherwise. */
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
