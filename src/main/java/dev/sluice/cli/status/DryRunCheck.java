package dev.sluice.cli.status;

import dev.sluice.admission.request.Policy.Enforcement;
import dev.sluice.api.InstallationStatusDocument.CheckSubject;
import dev.sluice.api.InstallationStatusDocument.StatusCheck;
import dev.sluice.cli.console.LiveClusterRequests;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.status.RegisteredWebhooks.ApiPages;
import dev.sluice.kube.client.ApiServerReply;
import dev.sluice.text.ShortText;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Creates a {@link DryRunPod} in a dry run. Chooses the namespace of the dry run, and evaluates its result.
 *
 * @param pages reads documents of the API server
 * @param webhooks the registered webhooks of Sluice; empty if they are not known
 * @param areSomeReplicas true if {@code reports} may lack replicas, because the user has named the replicas to ask
 * @param isNobodyAsked true if it is certain that no gateway can decide about the pod of the dry run
 */
record DryRunCheck(
        LiveClusterRequests api,
        ApiPages<UserProblem> pages,
        List<RegisteredWebhook> webhooks,
        List<StatusReplicaReport> reports,
        boolean areSomeReplicas,
        boolean isNobodyAsked) {

    /**
     * Chooses the namespace of the dry run: the first namespace whose pods are sent to the gateway. The namespace of
     * the kubeconfig's context and {@code default} are preferred. If the namespaces are not known, one of these two is
     * chosen.
     */
    Optional<String> choose(Optional<SequencedMap<String, Map<String, String>>> namespaces) {
        List<String> usual = Stream.concat(api.namespace().stream(), Stream.of("default"))
                .distinct()
                .toList();
        if (namespaces.isEmpty()) {
            return usual.stream()
                    .filter(name -> !name.equals(InstallationChecks.USUAL_NAMESPACE))
                    .findFirst();
        }
        Predicate<String> sent = name ->
                namespaces.get().containsKey(name) && isSent(namespaces.get().getOrDefault(name, Map.of()));
        return Stream.concat(usual.stream(), namespaces.get().keySet().stream())
                .filter(sent)
                .findFirst();
    }

    /** Returns the advice for the user if no webhook selects any namespace. */
    static String labelOne(List<RegisteredWebhook> webhooks) {
        return label(webhooks, "NAME", Map.of())
                .map(command -> command + ", for each namespace that shall take part")
                .orElse("name a namespace with -n");
    }

    /** Returns the command that labels a namespace so that a webhook selects it; empty if no label has this effect. */
    private static Optional<String> label(
            List<RegisteredWebhook> webhooks, String namespace, Map<String, String> labels) {
        return webhooks.stream()
                .flatMap(webhook -> webhook.namespaces().change(labels).stream())
                .findFirst()
                .map(change -> "kubectl label namespace " + namespace + " " + change);
    }

    /** Returns true if a webhook selects namespaces with these labels. Also returns true if no webhook is known. */
    private boolean isSent(Map<String, String> labels) {
        return webhooks.isEmpty()
                || webhooks.stream().anyMatch(webhook -> webhook.namespaces().selects(labels));
    }

    /**
     * Makes the dry run.
     *
     * @param namespace the namespace of the dry run; empty if no suitable namespace was found
     * @param isNamed true if the user has named the namespace
     */
    DryRunResult make(Optional<String> namespace, boolean isNamed) throws UserProblem, InterruptedException {
        return namespace.isEmpty()
                ? new DryRunResult.ProbeNotTried(
                        "no namespace that you may read is sent to the gateway", labelOne(webhooks))
                : make(namespace.get(), isNamed);
    }

    private DryRunResult make(String namespace, boolean isNamed) throws UserProblem, InterruptedException {
        ApiServerReply found = pages.get("api/v1/namespaces/" + namespace);
        Optional<DryRunResult> excluded = excluded(namespace, found, isNamed);
        if (excluded.isPresent()) {
            return excluded.get();
        }
        Map<String, String> labels = webhooks.stream()
                .filter(webhook -> !found.isSuccessful()
                        || webhook.namespaces().selects(WebhookLabelSelector.labels(found.body())))
                .findFirst()
                .map(webhook -> webhook.objects().exampleLabels())
                .orElse(Map.of());
        DryRunPod probe = DryRunPod.random(labels);
        DryRunResult result;
        try {
            result = DryRunResult.of(probe, namespace, api.post(DryRunPod.path(namespace), probe.json()), webhooks);
        } catch (IOException failed) {
            return new DryRunResult.ProbeNotTried(
                    "the dry run got no answer: " + ShortText.of(failed.getMessage() + "", DryRunResult.LONGEST),
                    "run this command again");
        }
        return result instanceof DryRunResult.ProbeUndecided
                ? unlessLeftOut(recorded(result, namespace, probe))
                : result;
    }

    /**
     * Returns the check for the result of the dry run, with the next step for the user if the gateway has not decided.
     */
    static StatusCheck of(DryRunResult result, Optional<String> namespace) {
        String where = namespace.map(name -> "namespace " + name + ": ").orElse("");
        return switch (result) {
            case DryRunResult.ProbeDecided(String how) -> StatusCheck.ok(CheckSubject.PROBE, where + how);
            case DryRunResult.ProbeUndecided(String how) ->
                StatusCheck.fail(
                        CheckSubject.PROBE,
                        where + how,
                        "see the other lines; the log of the API server says \"failed calling webhook\" and"
                                + " why, if it could not call the gateway");
            case DryRunResult.ProbeCallFailed(String why, String next) ->
                StatusCheck.fail(CheckSubject.PROBE, where + why, next);
            case DryRunResult.ProbeNotTried(String why, String next) ->
                StatusCheck.unknown(CheckSubject.PROBE, where + why, next);
        };
    }

    /**
     * Returns a result that is no failure if no decision was found, but the webhook has a condition that only the API
     * server can evaluate. This condition may have excluded the pod. Otherwise returns {@code result}.
     */
    private DryRunResult unlessLeftOut(DryRunResult result) {
        Optional<String> condition = webhooks.stream()
                .flatMap(webhook -> webhook.unknownCondition().stream())
                .findFirst();
        return result instanceof DryRunResult.ProbeUndecided && condition.isPresent()
                ? new DryRunResult.ProbeNotTried(
                        "the pod came back without a sign of a decision; the condition " + condition.get()
                                + " of the webhook may leave it out",
                        "kubectl create --dry-run=server -f FILE, with a pod that meets the condition")
                : result;
    }

    /**
     * Searches the records of the replicas for a decision about the pod. If the policy only observes, the answer to the
     * dry run does not show the decision, but the gateway records it.
     */
    private DryRunResult recorded(DryRunResult undecided, String namespace, DryRunPod probe)
            throws InterruptedException {
        boolean areAllRead = !areSomeReplicas;
        for (StatusReplicaReport report : reports) {
            Optional<Boolean> decided = report.hasDecidedAbout(namespace, probe.name());
            if (decided.orElse(false)) {
                return new DryRunResult.ProbeDecided(
                        "decided: " + report.name() + " has recorded a decision, and nothing was changed");
            }
            areAllRead &= decided.isPresent();
        }
        boolean isEnforced =
                reports.stream().anyMatch(report -> report.enforcement().equals(Enforcement.ENFORCE.word()));
        return isNobodyAsked || isEnforced || (areAllRead && !reports.isEmpty())
                ? undecided
                : new DryRunResult.ProbeNotTried(
                        "the pod came back without a sign of a decision. That is a failure, unless the policy only"
                                + " observes: then only the records of the replicas show the decision, and not all"
                                + " of them could be read",
                        "name the management port of each replica with --url");
    }

    /**
     * Returns a result if pods of this namespace are not sent to the gateway; empty if they are sent, or if this is
     * unknown.
     */
    private Optional<DryRunResult> excluded(String namespace, ApiServerReply found, boolean isNamed)
            throws UserProblem {
        if (found.status() == 404) {
            if (isNamed) {
                throw new UserProblem("there is no namespace " + namespace + "; name another with -n");
            }
            return Optional.of(new DryRunResult.ProbeNotTried("it does not exist", "name a namespace with -n"));
        }
        if (!found.isSuccessful()) {
            return Optional.empty();
        }
        Map<String, String> labels = WebhookLabelSelector.labels(found.body());
        if (isSent(labels)) {
            return Optional.empty();
        }
        return Optional.of(new DryRunResult.ProbeNotTried(
                "its pods are not sent to the gateway, which gets those of namespaces "
                        + webhooks.stream()
                                .map(webhook -> webhook.namespaces().unmet(labels))
                                .distinct()
                                .collect(Collectors.joining(", or those ")),
                label(webhooks, namespace, labels)
                        .map(command -> command + ", or name another namespace with -n")
                        .orElse("name another namespace with -n")));
    }
}
