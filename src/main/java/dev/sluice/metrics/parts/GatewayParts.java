package dev.sluice.metrics.parts;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.ActiveTlsMessage;
import dev.sluice.webhook.intake.Connections;
import dev.sluice.webhook.intake.IntakeSharedLimits;
import java.time.InstantSource;
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
public record GatewayParts(
        List<AdmissionMetrics> gateways,
        AdmissionMetrics workers,
        PartMetrics ledger,
        ManagementMetrics management,
        PartMetrics policy,
        PartMetrics certificates,
        PartMetrics election,
        PartMetrics diagnosis,
        KubernetesEventMetrics events,
        BypassMetrics bypass,
        PartMetrics source,
        RecordMetrics records,
        PartMetrics process,
        PartMetrics jvm,
        Optional<VertxPartMetrics> vertx,
        PartMetrics capacity,
        PeerMetrics peers) {

    /**
     * The properties of a gateway that its metrics depend on.
     *
     * @param gateways the number of gateway verticles
     * @param certificate the first certificate; empty if the certificate never changes
     * @param nodeSeries the maximum number of nodes with devices for which the metrics contain series of their own
     * @param vertxPorts the name of each port in the metrics of Vert.x; empty if the configuration turns them off
     */
    public record MeasuredGateway(
            int gateways,
            ActivePolicy policy,
            Optional<ActiveTlsMessage> certificate,
            int nodeSeries,
            Map<Integer, String> vertxPorts,
            IntakeSharedLimits intake,
            Connections managementConnections,
            Connections peerConnections) {

        public MeasuredGateway {
            vertxPorts = Map.copyOf(vertxPorts);
        }
    }

    /** Creates the metrics of a gateway that starts. */
    public static GatewayParts of(MeasuredGateway gateway, LongSupplier lostLines, InstantSource clock) {
        return new GatewayParts(
                IntStream.range(0, gateway.gateways())
                        .mapToObj(number -> new AdmissionMetrics("gateway-" + number))
                        .toList(),
                new AdmissionMetrics("workers"),
                new LedgerMetrics(),
                new ManagementMetrics(gateway.managementConnections()),
                new PolicyMetrics(gateway.policy()),
                new CertificateMetrics(gateway.certificate()),
                new ElectionMetrics(),
                new DiagnosisMetrics(clock),
                new KubernetesEventMetrics(),
                new BypassMetrics(),
                new SourceMetrics(),
                new RecordMetrics(gateway.policy()),
                new ProcessMetrics(gateway.intake(), lostLines),
                new JvmMetrics(),
                Optional.of(gateway.vertxPorts())
                        .filter(ports -> !ports.isEmpty())
                        .map(VertxPartMetrics::new),
                new CapacityMetrics(gateway.nodeSeries()),
                new PeerMetrics(gateway.peerConnections()));
    }

    /** Returns the metrics of the parts that have no verticle. Such metrics are registered for scrapes directly. */
    public List<PartMetrics> withoutVerticle() {
        return Stream.concat(Stream.of(workers, records, process, election), vertx.stream())
                .toList();
    }

    /** Returns the names under which a scrape reports the parts of the gateway. */
    public List<String> names() {
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
