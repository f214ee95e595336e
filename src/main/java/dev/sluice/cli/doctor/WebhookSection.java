package dev.sluice.cli.doctor;

import dev.sluice.cli.doctor.ReportPage.PageSection;
import dev.sluice.cli.doctor.ReportPageBlock.GridCell;
import dev.sluice.cli.doctor.ReportPageBlock.GridColumn;
import dev.sluice.cli.doctor.ReportPageBlock.Paragraph;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.ClusterFacts.WebhookFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.CountText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Shows whether the API server calls Sluice and trusts its certificate, and how many gateway pods are ready. */
record WebhookSection(ClusterFacts facts) {

    private static final char SLASH = '/';

    PageSection section() {
        return new PageSection("Sluice's webhook", blocks().toList());
    }

    private Stream<ReportPageBlock> blocks() {
        if (!facts.has(ClusterFactKind.MUTATING_WEBHOOKS)) {
            String why = facts.failures().get(ClusterFactKind.MUTATING_WEBHOOKS);
            return why == null
                    ? Stream.empty()
                    : Stream.of(
                            new Paragraph(why + ": it is not known whether the API server asks Sluice about pods."));
        }
        if (facts.webhooks().isEmpty()) {
            return Stream.of(new Paragraph("No webhook of Sluice is registered: the API server asks it about no pod."));
        }
        return ReportTableRows.tableIfAny(
                        List.of(
                                GridColumn.words("Configuration"),
                                GridColumn.words("Service"),
                                GridColumn.words("Failure policy"),
                                GridColumn.words("Namespaces"),
                                GridColumn.words("caBundle"),
                                GridColumn.number("Replicas ready")),
                        facts.webhooks(),
                        this::row)
                .map(ReportPageBlock.class::cast);
    }

    private List<GridCell> row(WebhookFacts webhook) {
        return List.of(
                GridCell.of(webhook.configuration()),
                GridCell.of(webhook.service()),
                GridCell.of(webhook.failurePolicy()),
                GridCell.of(webhook.namespaces().text()),
                trust(webhook),
                replicas(webhook));
    }

    private GridCell trust(WebhookFacts webhook) {
        Instant until = webhook.trustedUntil();
        if (until == null) {
            return GridCell.of("no certificate: the API server cannot trust the gateway", ReportPageTone.BAD);
        }
        String day = until.atZone(ZoneOffset.UTC).toLocalDate().toString();
        return facts.time() != null && until.isBefore(facts.time())
                ? GridCell.of("expired on " + day, ReportPageTone.BAD)
                : GridCell.of(CountText.of(webhook.trusted(), "certificate") + " until " + day);
    }

    /**
     * Returns a cell with the number of ready gateway pods and the number of all gateway pods in the namespace of the
     * webhook's Service.
     */
    private GridCell replicas(WebhookFacts webhook) {
        if (webhook.service().isEmpty() || !facts.has(ClusterFactKind.PODS)) {
            return GridCell.of("not known");
        }
        int slash = webhook.service().indexOf(SLASH);
        String namespace = webhook.service().substring(0, slash);
        String service = webhook.service().substring(slash + 1);
        List<PodFacts> pods = facts.pods().stream()
                .filter(pod -> pod.namespace().equals(namespace) && !pod.hasEnded())
                .filter(pod -> isOfGateway(pod, service))
                .toList();
        long ready = pods.stream().filter(PodFacts::isRunningAndReady).count();
        return GridCell.of(
                ready + " of " + pods.size(),
                ready == 0 ? ReportPageTone.BAD : ready < pods.size() ? ReportPageTone.DOUBTFUL : ReportPageTone.GOOD);
    }

    /**
     * Returns true if the pod belongs to the gateway: it has the label that Sluice's manifests and chart set, or the
     * common label {@code app.kubernetes.io/name} with the value "sluice".
     */
    private static boolean isOfGateway(PodFacts pod, String service) {
        Map<String, String> labels = pod.ask().labels();
        return service.equals(labels.get("app"))
                || labels.getOrDefault("app.kubernetes.io/name", "").equals("sluice");
    }
}
