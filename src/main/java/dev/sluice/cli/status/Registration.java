package dev.sluice.cli.status;

import dev.sluice.cli.console.LiveClusterRequests;
import dev.sluice.cli.status.RegisteredWebhook.NotAskedReason;
import dev.sluice.kube.client.ApiServerReply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The webhooks that call Sluice, and the labels of namespaces. Both determine which pods the API server sends to
 * Sluice.
 *
 * @param webhooks the webhooks that call Sluice; empty if they were not read
 * @param labels the labels of each namespace that could be read, by its name
 * @param notes sentences about what is not known
 */
public record Registration(
        Optional<RegisteredWebhooks> webhooks, Map<String, Map<String, String>> labels, List<String> notes) {

    /** A registration that was not read. It has no notes, so commands print nothing about the registration. */
    public static final Registration UNKNOWN = new Registration(Optional.empty(), Map.of(), List.of());

    /** The maximum number of namespaces whose labels are read. Each namespace needs a separate request. */
    private static final int MOST_NAMESPACES = 20;

    /** The time limit of each request. It is short, because an explanation is also useful without the registration. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final String DRY_RUN = "kubectl create --dry-run=server shows the result";

    public Registration {
        labels = Map.copyOf(labels);
        notes = List.copyOf(notes);
    }

    /** Reads the webhooks that call Sluice, and the labels of the given namespaces. */
    public static Registration read(LiveClusterRequests api, Collection<String> namespaces) {
        try {
            RegisteredWebhooks webhooks = RegisteredWebhooks.read(path -> api.get(path, PATIENCE));
            return webhooks.areKnown() ? known(webhooks, api, namespaces) : unread(webhooks.problem());
        } catch (IOException failed) {
            return unread("the webhooks cannot be listed: " + failed.getMessage());
        }
    }

    /**
     * Returns a registration without any data. Its only note says that the registration is not known, and why.
     *
     * @param why the reason as a clause
     */
    public static Registration unread(String why) {
        return new Registration(
                Optional.empty(),
                Map.of(),
                List.of("It is not known whether the API server asks Sluice about these pods: " + why + ". " + DRY_RUN
                        + "."));
    }

    private static Registration known(
            RegisteredWebhooks webhooks, LiveClusterRequests api, Collection<String> namespaces) throws IOException {
        Map<String, Map<String, String>> labels = new HashMap<>();
        List<String> notes = new ArrayList<>();
        List<String> named = webhooks.all().isEmpty()
                ? List.of()
                : namespaces.stream()
                        .filter(name -> !name.isEmpty())
                        .distinct()
                        .sorted()
                        .toList();
        if (named.size() > MOST_NAMESPACES) {
            notes.add("The labels of " + MOST_NAMESPACES + " namespaces were read. Of the other "
                    + (named.size() - MOST_NAMESPACES)
                    + " only the names were compared with the namespaceSelector of the webhook.");
        }
        List<String> read = named.stream().limit(MOST_NAMESPACES).toList();
        for (String namespace : read) {
            ApiServerReply reply = api.get("api/v1/namespaces/" + namespace, PATIENCE);
            if (reply.isSuccessful()) {
                labels.put(namespace, WebhookLabelSelector.labels(reply.body()));
            } else {
                notes.add(unreadNamespace(namespace, reply)
                        + ", so only its name was compared with the namespaceSelector of the webhook.");
            }
        }
        webhooks.all().stream()
                .flatMap(webhook -> webhook.conditions().stream())
                .filter(condition -> !condition.isKnown())
                .distinct()
                .forEach(condition -> notes.add("The API server also evaluates the condition " + condition.name()
                        + " of the webhook (" + condition.shortExpression() + "); explain does not. " + DRY_RUN + "."));
        return new Registration(Optional.of(webhooks), labels, notes);
    }

    private static String unreadNamespace(String namespace, ApiServerReply reply) {
        return reply.status() == 404
                ? "There is no namespace " + namespace + " in the cluster"
                : reply.lacksRight()
                        ? "You may not read namespace " + namespace
                        : "Namespace " + namespace + " cannot be read (" + reply.summary() + ")";
    }

    /**
     * Returns the reason why the API server does not send a pod to Sluice, as a text of two sentences. Returns empty if
     * it sends the pod, or if the webhooks are not known.
     */
    public Optional<String> notAsked(PodAskedAbout pod) {
        if (webhooks.isEmpty()) {
            return Optional.empty();
        }
        List<RegisteredWebhook> all = webhooks.get().all();
        if (all.isEmpty()) {
            return Optional.of("No webhook of this cluster calls Sluice, so the API server asks nobody about GPUs. Pods"
                    + " are created as they are written.");
        }
        List<NotAskedReason> reasons = new ArrayList<>();
        for (RegisteredWebhook webhook : all) {
            Optional<NotAskedReason> reason = webhook.notAsked(
                    pod,
                    Optional.ofNullable(labels.get(pod.namespace())),
                    all.size() == 1 ? "the webhook" : "the webhook of " + webhook.configuration());
            if (reason.isEmpty()) {
                return Optional.empty();
            }
            reasons.add(reason.get());
        }
        NotAskedReason first = reasons.getFirst();
        return Optional.of("The API server does not ask Sluice about " + first.subject() + ": "
                + reasons.stream().map(NotAskedReason::why).distinct().collect(Collectors.joining("; ")) + ". "
                + (first.isOne() ? "It is created as it is" : "They are created as they are") + " written.");
    }
}
