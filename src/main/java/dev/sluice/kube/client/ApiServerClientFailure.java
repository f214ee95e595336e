package dev.sluice.kube.client;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/**
 * Formats the reason why a request of fabric8's client failed, in one line. The client's own message quotes the request
 * and all fields of the answer, so it is too long for a log line.
 */
public final class ApiServerClientFailure {

    private ApiServerClientFailure() {}

    /**
     * Returns the error with which the API server answered. If there was no answer, returns the reason why the request
     * failed.
     */
    public static String reason(RuntimeException failed) {
        return failed instanceof KubernetesClientException refused && refused.getCode() > 0
                ? ApiFailure.summary(
                        refused.getCode(),
                        Optional.ofNullable(refused.getStatus())
                                .map(Status::getMessage)
                                .flatMap(message -> message.lines().findFirst())
                                .orElse(""))
                : ApiServerConnectionFailure.reason(failed);
    }
}
