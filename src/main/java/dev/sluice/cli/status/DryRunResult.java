package dev.sluice.cli.status;

import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.cluster.Pod;
import dev.sluice.kube.client.ApiServerReply;
import dev.sluice.text.ShortText;
import dev.sluice.tls.selfmanaged.StoredTrust;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The result of a dry run of a {@link DryRunPod}: what the API server's answer proves about the gateway. */
sealed interface DryRunResult {

    /**
     * The gateway has decided, so the API server has called it and has accepted its certificate.
     *
     * @param how the part of the answer which shows that the gateway has decided
     */
    record ProbeDecided(String how) implements DryRunResult {}

    /**
     * The answer shows no decision of the gateway, although the pod was admitted, or was refused only after the
     * webhooks were called.
     */
    record ProbeUndecided(String how) implements DryRunResult {}

    /** The API server answered that it could not call the gateway, or could not evaluate a condition of its webhook. */
    record ProbeCallFailed(String why, String next) implements DryRunResult {}

    /** The answer proves nothing about the gateway. */
    record ProbeNotTried(String why, String next) implements DryRunResult {}

    /** The maximum length, in characters, of a quoted message of the API server. */
    int LONGEST = 300;

    /**
     * Texts in the messages of admission plugins that run after all mutating webhooks. If such a plugin refuses the
     * pod, the webhooks were called.
     */
    List<String> AFTER_WEBHOOKS = List.of("exceeded quota", "violates PodSecurity", "failed quota");

    /**
     * Returns what the answer to the dry run proves about the gateway.
     *
     * @param webhooks the registered webhooks of Sluice; empty if they are not known
     */
    static DryRunResult of(DryRunPod probe, String namespace, ApiServerReply reply, List<RegisteredWebhook> webhooks) {
        String message = ShortText.of(reply.message(), LONGEST);
        List<String> byUs = Stream.concat(
                        webhooks.stream().map(RegisteredWebhook::name), Stream.of(StoredTrust.WEBHOOK))
                .map(name -> "webhook \"" + name + "\"")
                .toList();
        if (byUs.stream().anyMatch(name -> reply.message().contains("failed calling " + name))) {
            return new ProbeCallFailed(message, "see the lines of service, trust and replicas");
        }
        Optional<String> broken = webhooks.stream()
                .flatMap(webhook -> webhook.failedCondition(reply.message()).stream())
                .findFirst();
        if (broken.isPresent()) {
            return new ProbeCallFailed(
                    "the API server refuses pods because it cannot evaluate the condition " + broken.get()
                            + " of the webhook (" + message + ")",
                    "change the condition so that it holds for every pod, or apply the manifests or the chart again");
        }
        Optional<String> sign = sign(probe, reply, byUs);
        if (sign.isPresent()) {
            return new ProbeDecided(sign.get()
                    + (reply.isSuccessful() || isDenial(reply, byUs)
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

    private static boolean isDenial(ApiServerReply reply, List<String> byUs) {
        return byUs.stream().anyMatch(name -> reply.message().contains("admission " + name + " denied the request"));
    }

    private static Optional<String> sign(DryRunPod probe, ApiServerReply reply, List<String> byUs) {
        if (isDenial(reply, byUs)) {
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
