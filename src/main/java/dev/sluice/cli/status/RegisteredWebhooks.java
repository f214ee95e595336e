package dev.sluice.cli.status;

import dev.sluice.kube.client.ApiServerReply;
import dev.sluice.tls.selfmanaged.StoredTrust;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The webhooks of a cluster that call Sluice.
 *
 * @param all the webhooks that could be read
 * @param problem the reason why not all webhooks could be read, as a clause; empty if all were read
 */
record RegisteredWebhooks(List<RegisteredWebhook> all, String problem) {

    private static final String CONFIGURATIONS = "apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

    /**
     * The number of configurations in a page. A page of this size is much shorter than the longest response that the
     * client accepts.
     */
    private static final int PAGE = 100;

    /** The maximum number of pages. Even large clusters have fewer than a hundred configurations. */
    private static final int MOST_PAGES = 10;

    /** Sends a GET request to the API server and returns the answer. */
    interface ApiPages<E extends Exception> {
        ApiServerReply get(String pathAndQuery) throws E;
    }

    RegisteredWebhooks {
        all = List.copyOf(all);
    }

    /**
     * Reads the webhooks that call Sluice, page by page. If the webhook configurations cannot be listed, for example
     * because the user may not list them, only the configuration with the name in Sluice's manifests is read.
     */
    static <E extends Exception> RegisteredWebhooks read(ApiPages<E> api) throws E {
        List<RegisteredWebhook> found = new ArrayList<>();
        String token = "";
        for (int pages = 0; pages < MOST_PAGES; pages++) {
            ApiServerReply page = api.get(CONFIGURATIONS + "?limit=" + PAGE + token);
            if (!page.isSuccessful()) {
                return byName(api, page);
            }
            found.addAll(RegisteredWebhook.in(page.body()));
            String next = page.body().at("/metadata/continue").asText("");
            if (next.isEmpty()) {
                return new RegisteredWebhooks(found, "");
            }
            token = "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
        }
        return new RegisteredWebhooks(
                found, "only the first " + MOST_PAGES * PAGE + " mutatingwebhookconfigurations were read");
    }

    private static <E extends Exception> RegisteredWebhooks byName(ApiPages<E> api, ApiServerReply list) throws E {
        ApiServerReply one = api.get(CONFIGURATIONS + "/" + StoredTrust.CONFIGURATION);
        return one.isSuccessful()
                ? new RegisteredWebhooks(RegisteredWebhook.inOne(one.body()), "")
                : new RegisteredWebhooks(
                        List.of(),
                        list.lacksRight()
                                ? "you may not list mutatingwebhookconfigurations"
                                : "the webhooks cannot be listed: " + list.summary());
    }

    /** Returns true if all webhooks that call Sluice could be read. */
    boolean areKnown() {
        return problem.isEmpty();
    }
}
