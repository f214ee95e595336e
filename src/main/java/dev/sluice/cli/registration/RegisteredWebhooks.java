package dev.sluice.cli.registration;

import dev.sluice.kube.client.ApiReply;
import dev.sluice.tls.selfmanaged.StoredTrust;
import java.util.List;

/**
 * The webhooks of a cluster that call Sluice.
 *
 * @param all the webhooks; empty also if they are not known
 * @param problem the reason why the webhooks are not known, as a clause; empty if they are
 */
public record RegisteredWebhooks(List<RegisteredWebhook> all, String problem) {

    private static final String CONFIGURATIONS = "apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

    /** The maximum number of configurations that are read. Even large clusters have fewer than a hundred. */
    private static final int MOST_CONFIGURATIONS = 500;

    /** Reads a page of the API server. */
    public interface ApiPages<E extends Exception> {
        ApiReply get(String pathAndQuery) throws E;
    }

    public RegisteredWebhooks {
        all = List.copyOf(all);
    }

    /**
     * Reads the webhooks. If the user may not list configurations, only the one is read that has the name in Sluice's
     * manifests.
     */
    public static <E extends Exception> RegisteredWebhooks read(ApiPages<E> api) throws E {
        ApiReply list = api.get(CONFIGURATIONS + "?limit=" + MOST_CONFIGURATIONS);
        if (list.isSuccessful()) {
            return new RegisteredWebhooks(RegisteredWebhook.in(list.body()), "");
        }
        ApiReply one = api.get(CONFIGURATIONS + "/" + StoredTrust.CONFIGURATION);
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
