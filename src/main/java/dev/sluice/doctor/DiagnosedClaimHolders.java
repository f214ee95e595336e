package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Lists pods for which allocated ResourceClaims are reserved, sorted by pod name. */
record DiagnosedClaimHolders(List<ClaimHolder> holders) {

    DiagnosedClaimHolders {
        holders = List.copyOf(holders);
    }

    /**
     * Describes one pod for which an allocated ResourceClaim is reserved.
     *
     * @param pod the pod, as {@code namespace/name}
     * @param namespace the namespace of the claim, which is also the namespace of the pod
     * @param claim the name of the claim
     */
    record ClaimHolder(String pod, String namespace, String claim) {

        Evidence evidence() {
            return new Evidence("ResourceClaim", namespace + "/" + claim, "allocated and reserved for " + pod);
        }
    }

    DiagnosedClaimHolders only(String pod) {
        return new DiagnosedClaimHolders(
                holders.stream().filter(it -> it.pod().equals(pod)).toList());
    }

    DiagnosedClaimHolders without(String pod) {
        return new DiagnosedClaimHolders(
                holders.stream().filter(it -> !it.pod().equals(pod)).toList());
    }

    /** Returns a sentence that names the pods; empty if there is no pod. */
    String sentence() {
        List<String> pods = holders.stream()
                .map(it -> it.pod() + " (claim " + it.claim() + ")")
                .toList();
        return pods.isEmpty() ? "" : " Allocated claims of the same class are held by " + FirstFiveNames.of(pods) + ".";
    }

    /**
     * Returns the evidence for the pods that {@link #sentence} names. If a pod was not collected, the evidence contains
     * only its claim.
     *
     * @param present the pods that were collected, as {@code namespace/name}
     */
    List<Evidence> evidence(Set<String> present) {
        List<Evidence> evidence = new ArrayList<>();
        holders.stream().limit(FirstFiveNames.MOST).forEach(it -> {
            evidence.add(it.evidence());
            if (present.contains(it.pod())) {
                evidence.add(new Evidence("Pod", it.pod(), "holds the claim " + it.claim()));
            }
        });
        return evidence;
    }
}
