package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.admission.request.NamespaceGlob;
import dev.sluice.admission.request.Policy.Enforcement;
import dev.sluice.api.InstallationStatusDocument;
import dev.sluice.api.InstallationStatusDocument.CheckResult;
import dev.sluice.api.InstallationStatusDocument.CheckSubject;
import dev.sluice.api.InstallationStatusDocument.StatusCheck;
import dev.sluice.cli.console.LiveClusterRequests;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.status.RegisteredWebhook.CalledService;
import dev.sluice.kube.client.ApiServerReply;
import dev.sluice.text.CountText;
import dev.sluice.text.NameList;
import dev.sluice.text.ShortText;
import dev.sluice.tls.selfmanaged.StoredTrust;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the API server and the replicas, and checks their answers. If the user lacks a permission, only the checks that
 * need this permission have the result UNKNOWN.
 */
final class InstallationChecks {

    static final String USUAL_NAMESPACE = "gpu-webhook";
    private static final String LABEL = "app%3Dgpu-webhook";

    /**
     * The maximum number of objects that are read from a list. In a cluster with more namespaces, only the first 500
     * are counted.
     */
    private static final int MOST_OBJECTS = 500;

    private static final int MOST_NAMES = 5;

    private static final int LONGEST = 200;

    private final LiveClusterRequests api;
    private final Instant now;
    private final List<StatusCheck> checks = new ArrayList<>();
    private List<RegisteredWebhook> webhooks = List.of();
    /** True if the registered webhooks could be read. */
    private boolean registrationKnown;
    /** True if all namespaces of the cluster could be listed. */
    private boolean allNamespacesKnown;

    InstallationChecks(LiveClusterRequests api, Instant now) {
        this.api = api;
        this.now = now;
    }

    /**
     * Makes all checks.
     *
     * @param named the replicas that the user has named; empty to search for the pods of the gateway
     * @param probeNamespace the namespace of the dry run; null to choose one
     * @param installedIn the namespace of the gateway; null to use the namespace of the Service that the registered
     *     webhook calls
     */
    InstallationStatusDocument make(
            List<ReplicaAtUrl> named, @Nullable String probeNamespace, @Nullable String installedIn)
            throws UserProblem, InterruptedException {
        registration();
        String gateway = Optional.ofNullable(installedIn)
                .or(() -> webhooks.stream()
                        .flatMap(webhook -> webhook.serviceNamespace().stream())
                        .findFirst())
                .orElse(USUAL_NAMESPACE);
        selection();
        Optional<SequencedMap<String, Map<String, String>>> namespaces = namespaces();
        List<StatusReplicaReport> reports = named.isEmpty() ? pods(gateway) : StatusReplicaReport.ask(named);
        checks.addAll(new ReplicaChecks(reports, gateway, now).all());
        observesFailClosed(reports);
        namespaces.filter(_ -> allNamespacesKnown).ifPresent(all -> unmatched(reports, all.keySet()));
        DryRunCheck check = new DryRunCheck(api, this::get, webhooks, reports, !named.isEmpty(), isNobodyAsked());
        Optional<String> chosen = Optional.ofNullable(probeNamespace).or(() -> check.choose(namespaces));
        DryRunResult probe = check.make(chosen, /* isNamed= */ probeNamespace != null);
        checks.add(DryRunCheck.of(probe, chosen));
        checks.add(new TrustCheck(callingIn(gateway), reports, now).of(probe));
        return InstallationStatusDocument.of(probe instanceof DryRunResult.ProbeDecided, chosen.orElse(null), checks);
    }

    /**
     * Returns the webhooks that call the gateway in the namespace {@code gateway}. Webhooks that call the Service of
     * another installation are left out.
     */
    private List<RegisteredWebhook> callingIn(String gateway) {
        return webhooks.stream()
                .filter(webhook ->
                        webhook.serviceNamespace().map(gateway::equals).orElse(true))
                .toList();
    }

    /** Returns true if it is certain that no gateway can decide about the pod of the dry run. */
    private boolean isNobodyAsked() {
        return (registrationKnown && webhooks.isEmpty())
                || checks.stream()
                        .anyMatch(
                                check -> check.check() == CheckSubject.REPLICAS && check.result() == CheckResult.FAIL);
    }

    private ApiServerReply get(String path) throws UserProblem {
        try {
            ApiServerReply reply = api.get(path);
            if (reply.status() == 401) {
                throw new UserProblem(api.address() + " does not accept your credentials; log in again, or name another"
                        + " --kubeconfig or --context");
            }
            return reply;
        } catch (IOException failed) {
            throw new UserProblem(failed.getMessage() + "; name the cluster with --kubeconfig and --context", failed);
        }
    }

    private void registration() throws UserProblem {
        RegisteredWebhooks registered = RegisteredWebhooks.read(this::get);
        registrationKnown = registered.areKnown();
        webhooks = registered.all();
        if (!registrationKnown) {
            checks.add(StatusCheck.unknown(
                    CheckSubject.REGISTRATION,
                    registered.problem(),
                    "ask somebody who may; the probe below proves the same"));
        } else if (webhooks.isEmpty()) {
            checks.add(StatusCheck.fail(
                    CheckSubject.REGISTRATION,
                    "no webhook " + StoredTrust.WEBHOOK
                            + " is registered, so the API server asks nobody about GPU pods",
                    "apply one of k8s/overlays, or install the chart"));
        }
        if (!webhooks.isEmpty()) {
            webhooks.forEach(webhook -> checks.add(registered(webhook)));
            for (CalledService service : webhooks.stream()
                    .flatMap(webhook -> webhook.service().stream())
                    .distinct()
                    .toList()) {
                checks.add(new ServiceCheck(this::get, service).make());
            }
            if (webhooks.size() > 1) {
                checks.add(StatusCheck.warn(
                        CheckSubject.REGISTRATION,
                        CountText.of(webhooks.size(), "webhook") + " call Sluice, so a pod may be decided twice",
                        "delete the MutatingWebhookConfiguration that is left from another installation. If both are"
                                + " wanted, let each be asked about other namespaces, and look at the replicas of each"
                                + " with --installed-in"));
            }
        }
    }

    private static StatusCheck registered(RegisteredWebhook webhook) {
        Optional<String> fault = webhook.fault();
        if (fault.isPresent()) {
            return StatusCheck.fail(
                    CheckSubject.REGISTRATION,
                    webhook.summary() + ": " + fault.get(),
                    "apply the manifests or the chart again");
        }
        return webhook.isNeverReinvoked()
                ? StatusCheck.warn(
                        CheckSubject.REGISTRATION,
                        webhook.summary() + ": what other webhooks change later is not decided",
                        "set reinvocationPolicy: IfNeeded, as the manifests do")
                : StatusCheck.ok(CheckSubject.REGISTRATION, webhook.summary());
    }

    private void selection() {
        webhooks.forEach(
                webhook -> checks.add(StatusCheck.ok(CheckSubject.PODS, named(webhook, webhook.podsInWords()))));
    }

    /** Returns the text. If several webhooks are registered, puts the name of the webhook's configuration before it. */
    private String named(RegisteredWebhook webhook, String text) {
        return webhooks.size() == 1 ? text : webhook.configuration() + ": " + text;
    }

    /**
     * Checks which namespaces the registered webhooks select. Returns the labels of each namespace by its name; empty
     * if the user cannot list namespaces.
     */
    private Optional<SequencedMap<String, Map<String, String>>> namespaces() throws UserProblem {
        ApiServerReply list = get("api/v1/namespaces?limit=" + MOST_OBJECTS);
        SequencedMap<String, Map<String, String>> all = new LinkedHashMap<>();
        list.body()
                .path("items")
                .forEach(namespace ->
                        all.put(namespace.at("/metadata/name").asText(), WebhookLabelSelector.labels(namespace)));
        for (RegisteredWebhook webhook : webhooks) {
            String words = named(webhook, webhook.namespaces().words("namespaces"));
            String evidence = list.isSuccessful() ? words + "; " + counted(webhook, all, list.body()) : words;
            checks.add(
                    list.isSuccessful() && all.values().stream().noneMatch(webhook.namespaces()::selects)
                            ? StatusCheck.warn(CheckSubject.NAMESPACES, evidence, DryRunCheck.labelOne(webhooks))
                            : StatusCheck.ok(CheckSubject.NAMESPACES, evidence));
        }
        allNamespacesKnown = list.isSuccessful() && isComplete(list.body());
        return list.isSuccessful() ? Optional.of(all) : Optional.empty();
    }

    /**
     * Adds a warning if the policy only observes, but {@code failurePolicy} makes the API server refuse pods while no
     * gateway answers.
     */
    private void observesFailClosed(List<StatusReplicaReport> reports) {
        if (webhooks.stream().anyMatch(RegisteredWebhook::isFailClosed)
                && reports.stream().anyMatch(report -> report.enforcement().equals(Enforcement.OBSERVE.word()))) {
            checks.add(StatusCheck.warn(
                    CheckSubject.POLICY,
                    "the policy only observes, but with failurePolicy Fail GPU pods are refused while no gateway"
                            + " answers",
                    "set failurePolicy: Ignore while you observe"));
        }
    }

    /**
     * Adds a warning if entries of {@code policy.namespaces} match none of the namespaces, for example because a name
     * is misspelt.
     */
    private void unmatched(List<StatusReplicaReport> reports, Set<String> namespaces) {
        List<String> entries = reports.stream()
                .filter(report -> report.status().isPresent())
                .flatMap(report -> report.texts("/policy/namespaces"))
                .distinct()
                .filter(entry -> namespaces.stream().noneMatch(new NamespaceGlob(entry)::matches))
                .toList();
        if (!entries.isEmpty()) {
            checks.add(StatusCheck.warn(
                    CheckSubject.POLICY,
                    CountText.of(
                                    entries.size(),
                                    "entry of policy.namespaces matches",
                                    "entries of policy.namespaces match")
                            + " no namespace: " + ShortText.of(NameList.of(entries, MOST_NAMES), LONGEST),
                    "compare with kubectl get namespaces; if a name is wrong, the base policy holds where another one"
                            + " should"));
        }
    }

    private static boolean isComplete(JsonNode list) {
        return list.at("/metadata/continue").asText("").isEmpty();
    }

    private static String counted(RegisteredWebhook webhook, Map<String, Map<String, String>> all, JsonNode list) {
        List<String> left = all.entrySet().stream()
                .filter(namespace -> !webhook.namespaces().selects(namespace.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        String total = isComplete(list)
                ? CountText.of(all.size(), "namespace")
                : "the first " + CountText.of(all.size(), "namespace");
        return "now " + (all.size() - left.size()) + " of " + total
                + (left.isEmpty() ? "" : ", without " + NameList.of(left, MOST_NAMES));
    }

    private List<StatusReplicaReport> pods(String gateway) throws UserProblem, InterruptedException {
        ApiServerReply list =
                get("api/v1/namespaces/" + gateway + "/pods?limit=" + MOST_OBJECTS + "&labelSelector=" + LABEL);
        if (!list.isSuccessful()) {
            checks.add(StatusCheck.unknown(
                    CheckSubject.REPLICAS,
                    list.lacksRight()
                            ? "you may not list pods in namespace " + gateway
                            : "the pods of namespace " + gateway + " cannot be listed: " + list.summary(),
                    "name the management port of a replica with --url"));
            return List.of();
        }
        List<StatusReplicaPod> pods = StatusReplicaPod.in(list.body(), api, gateway);
        long ready = pods.stream().filter(StatusReplicaPod::ready).count();
        String counted = ready + " of " + CountText.of(pods.size(), "pod") + " in namespace " + gateway + " are ready";
        boolean isElsewhere = pods.isEmpty()
                && !webhooks.isEmpty()
                && webhooks.stream()
                        .allMatch(webhook -> webhook.serviceNamespace().isEmpty());
        checks.add(
                isElsewhere
                        ? StatusCheck.unknown(
                                CheckSubject.REPLICAS,
                                "the webhook is called by a URL, and no gateway runs in namespace " + gateway,
                                "name the management ports of the replicas with --url")
                        : ready == 0
                                ? StatusCheck.fail(
                                        CheckSubject.REPLICAS,
                                        counted,
                                        "kubectl -n " + gateway + " get pods,events; kubectl -n " + gateway
                                                + " logs -l app=gpu-webhook --prefix")
                                : ready < pods.size()
                                        ? StatusCheck.warn(
                                                CheckSubject.REPLICAS, counted, "kubectl -n " + gateway + " get pods")
                                        : StatusCheck.ok(CheckSubject.REPLICAS, counted));
        return StatusReplicaReport.ask(pods);
    }
}
