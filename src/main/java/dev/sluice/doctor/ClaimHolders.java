package dev.sluice.doctor;

import dev.sluice.doctor.Cause.Evidence;
import dev.sluice.doctor.facts.FirstFive;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Pods for which allocated ResourceClaims are reserved, sorted by their names. */
record ClaimHolders(List<ClaimHolder> holders) {

    ClaimHolders {
        holders = List.copyOf(holders);
    }

    /** @param pod as namespace/name, in the namespace of the claim */
    record ClaimHolder(String pod, String namespace, String claim) {

        Evidence evidence() {
            return new Evidence("ResourceClaim", namespace + "/" + claim, "allocated and reserved for " + pod);
        }
    }

    ClaimHolders only(String pod) {
        return new ClaimHolders(
                holders.stream().filter(it -> it.pod().equals(pod)).toList());
    }

    ClaimHolders without(String pod) {
        return new ClaimHolders(
                holders.stream().filter(it -> !it.pod().equals(pod)).toList());
    }

    /** Empty where there is none. */
    String sentence() {
        List<String> pods = holders.stream()
                .map(it -> it.pod() + " (claim " + it.claim() + ")")
                .toList();
        return pods.isEmpty() ? "" : " Allocated claims of the same class are held by " + FirstFive.of(pods) + ".";
    }

    /** Of those that the sentence names; pods that are not present are seen on their claims only. */
    List<Evidence> evidence(Set<String> present) {
        List<Evidence> evidence = new ArrayList<>();
        holders.stream().limit(FirstFive.MOST).forEach(it -> {
            evidence.add(it.evidence());
            if (present.contains(it.pod())) {
                evidence.add(new Evidence("Pod", it.pod(), "holds the claim " + it.claim()));
            }
        });
        return evidence;
    }
}
