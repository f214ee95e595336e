package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.InstallationStatusDocument.CheckSubject;
import dev.sluice.api.InstallationStatusDocument.StatusCheck;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.status.RegisteredWebhook.CalledService;
import dev.sluice.cli.status.RegisteredWebhooks.ApiPages;
import dev.sluice.kube.client.ApiServerReply;
import dev.sluice.text.CountText;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks whether the Service of the webhook has an endpoint that the API server can call. Without an endpoint, and with
 * {@code failurePolicy: Ignore}, the API server admits pods without a decision and reports no error.
 */
record ServiceCheck(ApiPages<UserProblem> pages, CalledService service) {

    private static final String APPLY = "apply the manifests or the chart again";

    StatusCheck make() throws UserProblem {
        ApiServerReply reply = pages.get("api/v1/namespaces/" + service.namespace() + "/services/" + service.name());
        if (reply.status() == 404) {
            return StatusCheck.fail(
                    CheckSubject.SERVICE,
                    "there is no " + words() + ", so the API server cannot call the gateway",
                    APPLY);
        }
        if (!reply.isSuccessful()) {
            return unknown("get services", reply);
        }
        Optional<JsonNode> port = reply.body()
                .at("/spec/ports")
                .valueStream()
                .filter(one -> one.path("port").asInt() == service.port())
                .findFirst();
        if (port.isEmpty()) {
            return StatusCheck.fail(
                    CheckSubject.SERVICE,
                    words() + " has no port " + service.port() + ", which the webhook names; it has "
                            + reply.body()
                                    .at("/spec/ports")
                                    .valueStream()
                                    .map(one -> one.path("port").asText())
                                    .collect(Collectors.joining(", ")),
                    APPLY);
        }
        return endpoints(port.get().path("name").asText(""));
    }

    private StatusCheck endpoints(String portName) throws UserProblem {
        ApiServerReply reply = pages.get("apis/discovery.k8s.io/v1/namespaces/" + service.namespace()
                + "/endpointslices?limit=100&labelSelector=kubernetes.io%2Fservice-name%3D" + service.name());
        if (!reply.isSuccessful()) {
            return unknown("list endpointslices", reply);
        }
        long ready = reply.body()
                .path("items")
                .valueStream()
                .filter(slice -> slice.path("ports")
                        .valueStream()
                        .anyMatch(port -> port.path("name").asText("").equals(portName)))
                .flatMap(slice -> slice.path("endpoints").valueStream())
                .filter(endpoint -> endpoint.at("/conditions/ready").asBoolean(true))
                // A pod with an IPv4 and an IPv6 address is in two EndpointSlices, but counts once.
                .map(endpoint -> endpoint.at("/targetRef/name")
                        .asText(endpoint.path("addresses").path(0).asText()))
                .distinct()
                .count();
        return ready == 0
                ? StatusCheck.fail(
                        CheckSubject.SERVICE,
                        words() + " has no ready endpoint, so new connections of the API server fail",
                        "see the line of replicas; if pods are ready, the selector or the targetPort of the Service is"
                                + " wrong: kubectl -n " + service.namespace() + " get service " + service.name()
                                + " -o yaml")
                : StatusCheck.ok(
                        CheckSubject.SERVICE,
                        words() + ", port " + service.port() + ", has " + CountText.of(ready, "ready endpoint"));
    }

    private String words() {
        return "Service " + service.namespace() + "/" + service.name();
    }

    private StatusCheck unknown(String deed, ApiServerReply reply) {
        return StatusCheck.unknown(
                CheckSubject.SERVICE,
                reply.lacksRight()
                        ? "you may not " + deed + " in namespace " + service.namespace()
                        : words() + " cannot be read: " + reply.summary(),
                null);
    }
}
