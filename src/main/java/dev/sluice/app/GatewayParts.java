package dev.sluice.app;

import dev.sluice.metrics.parts.AdmissionMetrics;
import dev.sluice.metrics.parts.BypassMetrics;
import dev.sluice.metrics.parts.CapacityMetrics;
import dev.sluice.metrics.parts.CertificateMetrics;
import dev.sluice.metrics.parts.DiagnosisMetrics;
import dev.sluice.metrics.parts.ElectionMetrics;
import dev.sluice.metrics.parts.JvmMetrics;
import dev.sluice.metrics.parts.KubernetesEventMetrics;
import dev.sluice.metrics.parts.LedgerMetrics;
import dev.sluice.metrics.parts.ManagementMetrics;
import dev.sluice.metrics.parts.PartMetrics;
import dev.sluice.metrics.parts.PeerMetrics;
import dev.sluice.metrics.parts.PolicyMetrics;
import dev.sluice.metrics.parts.ProcessMetrics;
import dev.sluice.metrics.parts.RecordMetrics;
import dev.sluice.metrics.parts.SourceMetrics;
import dev.sluice.metrics.parts.VertxPartMetrics;
import dev.sluice.webhook.intake.Connections;
import dev.sluice.webhook.intake.IntakeSharedLimits;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The metrics of all parts of a gateway.
 *
 * @param gateways the metrics of each gateway verticle
 * @param workers the metrics of the threads for large reviews
 * @param vertx the metrics of Vert.x; empty if the configuration turns them off
 */
record GatewayParts(
        List<AdmissionMetrics> gateways,
        AdmissionMetrics workers,
        LedgerMetrics ledger,
        ManagementMetrics management,
        PolicyMetrics policy,
        CertificateMetrics certificates,
        ElectionMetrics election,
        DiagnosisMetrics diagnosis,
        KubernetesEventMetrics events,
        BypassMetrics bypass,
        SourceMetrics source,
        RecordMetrics records,
        ProcessMetrics process,
        JvmMetrics jvm,
        Optional<VertxPartMetrics> vertx,
        CapacityMetrics capacity,
        PeerMetrics peers) {

    static GatewayParts of(
            SluiceParts parts,
            int gateways,
            IntakeSharedLimits intake,
            Connections managementConnections,
            Connections peerConnections,
            LongSupplier lostLines,
            InstantSource clock) {
        return new GatewayParts(
                IntStream.range(0, gateways)
                        .mapToObj(number -> new AdmissionMetrics("gateway-" + number))
                        .toList(),
                new AdmissionMetrics("workers"),
                new LedgerMetrics(),
                new ManagementMetrics(managementConnections),
                new PolicyMetrics(parts.policy()),
                new CertificateMetrics(parts.certificates().map(CertificateSource::first)),
                new ElectionMetrics(),
                new DiagnosisMetrics(clock),
                new KubernetesEventMetrics(),
                new BypassMetrics(),
                new SourceMetrics(),
                new RecordMetrics(parts.policy()),
                new ProcessMetrics(intake, lostLines),
                new JvmMetrics(),
                parts.vertxSeries() ? Optional.of(vertx(parts)) : Optional.empty(),
                new CapacityMetrics(parts.nodeSeries()),
                new PeerMetrics(peerConnections));
    }

    private static VertxPartMetrics vertx(SluiceParts parts) {
        Map<Integer, String> ports = new HashMap<>();
        parts.peers().ifPresent(peers -> ports.put(peers.port(), "peers"));
        ports.put(parts.webhook().getPort(), "webhook");
        ports.put(parts.management().getPort(), "management");
        return new VertxPartMetrics(Map.copyOf(ports));
    }

    /** Returns the metrics of the parts that have no verticle. Such metrics are registered for scrapes directly. */
    List<PartMetrics> withoutVerticle() {
        return Stream.concat(Stream.of(workers, records, process, election), vertx.stream())
                .toList();
    }

    /** Returns the name of each part in a scrape. */
    List<String> names() {
        return Stream.<PartMetrics>concat(
                        gateways.stream(),
                        Stream.concat(
                                withoutVerticle().stream(),
                                Stream.of(
                                        ledger,
                                        management,
                                        policy,
                                        certificates,
                                        diagnosis,
                                        events,
                                        bypass,
                                        source,
                                        jvm,
                                        capacity,
                                        peers)))
                .map(PartMetrics::part)
                .toList();
    }
}
