package dev.sluice.kube.client;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/** Why fabric8's client failed, in words: its own message quotes the request and all fields of the answer. */
public final class ClientFailure {

    private ClientFailure() {}

    /** What the API server answered, or why it gave no answer; in one line. */
    public static String reason(RuntimeException failed) {
        return failed instanceof KubernetesClientException refused && refused.getCode() > 0
                ? ApiFailure.summary(
                        refused.getCode(),
                        Optional.ofNullable(refused.getStatus())
                                .map(Status::getMessage)
                                .flatMap(message -> message.lines().findFirst())
                                .orElse(""))
                : ConnectionFailure.reason(failed);
    }
}
