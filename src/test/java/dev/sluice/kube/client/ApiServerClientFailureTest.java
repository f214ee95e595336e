package dev.sluice.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;

class ApiServerClientFailureTest {

    @Test
    void anAnswerIsToldByItsCodeAndTheMessageOfItsStatus() {
        var refused = new KubernetesClientException(
                "Failure executing: GET at: https://10.0.0.1/apis. Message: Unauthorized. Received status: Status(...)",
                401,
                new StatusBuilder()
                        .withCode(401)
                        .withMessage("Unauthorized\n<html>")
                        .build());

        assertThat(ApiServerClientFailure.reason(refused)).isEqualTo("the API server answered 401 (Unauthorized)");
        assertThat(ApiServerClientFailure.reason(new KubernetesClientException("Failure executing", 502, null)))
                .isEqualTo("the API server answered 502");
    }

    @Test
    void withoutAnAnswerTheInnermostCauseIsTold() {
        var failed =
                new KubernetesClientException("An error has occurred.", new ConnectException("Connection refused"));

        assertThat(ApiServerClientFailure.reason(failed)).isEqualTo("Connection refused");
    }
}
