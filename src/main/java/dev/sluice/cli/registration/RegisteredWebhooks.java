package dev.sluice.cli.registration;

import dev.sluice.kube.client.ApiServerReply;
import dev.sluice.tls.selfmanaged.StoredTrust;
import java.util.List;

/**
 * The webhooks of a cluster that call Sluice.
 *
 * @param all the webhooks; it is also empty if they are not known
 * @param problem the reason why the webhooks are not known, as a clause; empty if they are known
 */
public record RegisteredWebhooks(List<RegisteredWebhook> all, String problem) {

    private static final String CONFIGURATIONS = "apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

    /** The maximum number of configurations that are read. Even large clusters have fewer than a hundred. */
    private static final int MOST_CONFIGURATIONS = 500;

    /** Sends a GET request to the API server and returns the answer. */
    public interface ApiPages<E extends Exception> {
        ApiServerReply get(String pathAndQuery) throws E;
    }

    public RegisteredWebhooks {
        all = List.copyOf(all);
    }

    /**
     * Reads the webhooks that call Sluice. If the user may not list webhook configurations, only the configuration with
     * the name in Sluice's manifests is read.
     */
    public static <E extends Exception> RegisteredWebhooks read(ApiPages<E> api) throws E {
        ApiServerReply list = api.get(CONFIGURATIONS + "?limit=" + MOST_CONFIGURATIONS);
        if (list.isSuccessful()) {
            return new RegisteredWebhooks(RegisteredWebhook.in(list.body()), "");
        }
        ApiServerReply one = api.get(CONFIGURATIONS + "/" + StoredTrust.CONFIGURATION);
        return one.isSuccessful()
                ? new RegisteredWebhooks(RegisteredWebhook.inOne(one.body()), "")
                : new RegisteredWebhooks(
                        List.of(),
                        list.lacksRight()
                                ? "you may not list mutatingwebhookconfigurations"
                                : "the webhooks cannot be listed: " + list.summary());
    }

    public boolean areKnown() {
        return problem.isEmpty();
    }
}
