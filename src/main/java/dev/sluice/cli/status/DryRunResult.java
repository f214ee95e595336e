package dev.sluice.cli.status;

import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.cluster.Pod;
import dev.sluice.kube.client.ApiReply;
import dev.sluice.text.ShortText;
import dev.sluice.tls.selfmanaged.StoredTrust;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the API server's answer to the dry run of a {@link ProbePod} proves. */
sealed interface DryRunResult {

    /**
     * The gateway has decided, so the API server has called it and has accepted its certificate.
     *
     * @param how the sign of the decision
     */
    record ProbeDecided(String how) implements DryRunResult {}

    /**
     * The pod was admitted, or was refused after the webhooks were called, and the answer does not show a decision of
     * the gateway.
     */
    record ProbeUndecided(String how) implements DryRunResult {}

    /** The API server says that it could not call the gateway. */
    record ProbeCallFailed(String why) implements DryRunResult {}

    /** The answer proves nothing about the gateway. */
    record ProbeNotTried(String why, String next) implements DryRunResult {}

    /** The maximum length of a message of the API server that is quoted. */
    int LONGEST = 300;

    /** The beginnings of the messages of admission plugins that the API server calls after all mutating webhooks. */
    List<String> AFTER_WEBHOOKS = List.of("exceeded quota", "violates PodSecurity", "failed quota");

    static DryRunResult of(ProbePod probe, String namespace, ApiReply reply) {
        String message = ShortText.of(reply.message(), LONGEST);
        String byUs = "webhook \"" + StoredTrust.WEBHOOK + "\"";
        if (message.contains("failed calling " + byUs)) {
            return new ProbeCallFailed(message);
        }
        Optional<String> sign = sign(probe, reply, byUs);
        if (sign.isPresent()) {
            return new ProbeDecided(sign.get()
                    + (reply.isSuccessful() || message.contains(byUs)
                            ? ""
                            : "; then the API server refused the pod for another reason (" + message + ")"));
        }
        if (reply.isSuccessful()) {
            return new ProbeUndecided("the API server would create the pod as it was written, without a decision");
        }
        if (reply.lacksRight()) {
            return new ProbeNotTried(
                    "you may not create pods in namespace " + namespace + ", so no dry run was possible",
                    "name a namespace with -n in which you may create pods");
        }
        if (AFTER_WEBHOOKS.stream().anyMatch(message::contains)) {
            return new ProbeUndecided("the API server refused the pod (" + message
                    + ") after it had called the webhooks, and no decision is among them");
        }
        return new ProbeNotTried(
                "the API server refused the pod, perhaps before it called the gateway: " + message,
                "name another namespace with -n");
    }

    private static Optional<String> sign(ProbePod probe, ApiReply reply, String byUs) {
        if (reply.message().contains("admission " + byUs + " denied the request")) {
            return Optional.of("decided: the gateway refused the pod by its policy: "
                    + ShortText.of(reply.message().replaceFirst(".*denied the request: ", ""), LONGEST));
        }
        if (reply.warnings().stream().anyMatch(warning -> warning.contains(probe.nonce()))) {
            return Optional.of("decided: the gateway warned of a value that only this pod has"
                    + reply.warnings().stream()
                            .filter(warning -> !warning.contains(probe.nonce()))
                            .findFirst()
                            .map(other -> ", and said: " + ShortText.of(other, LONGEST))
                            .orElse(""));
        }
        Map<String, String> written = new TreeMap<>();
        reply.body()
                .path("metadata")
                .path("annotations")
                .properties()
                .forEach(one -> written.put(one.getKey(), one.getValue().asText()));
        return List.of(Pod.STAMP, PodRequestAnnotations.FALLBACK).stream()
                .filter(written::containsKey)
                .findFirst()
                .map(name -> "decided: the gateway wrote the annotation " + name);
    }
}
