package dev.sluice.fuzz;

import dev.sluice.cli.explain.ManifestFuzz;
import dev.sluice.cluster.quantity.QuantityFuzz;
import dev.sluice.config.ConfigFuzz;
import dev.sluice.config.InjectionFuzz;
import dev.sluice.json.SkipFuzz;
import dev.sluice.kube.client.ListFuzz;
import dev.sluice.kube.client.WatchFuzz;
import dev.sluice.kube.decode.PodFuzz;
import dev.sluice.kube.decode.ReviewFuzz;
import dev.sluice.kube.facts.FactsFuzz;
import dev.sluice.kube.facts.MessageFuzz;
import dev.sluice.kube.watch.SnapshotFuzz;
import dev.sluice.record.summary.SummaryFuzz;
import dev.sluice.tls.PemFuzz;
import dev.sluice.webhook.GatewayAdmissionsFuzz;
import java.nio.file.Path;
import java.util.function.Consumer;

/** What is fuzzed; the fuzzer itself is given the class. */
enum FuzzTarget {
    REVIEW(ReviewFuzz.class, ReviewFuzz::fuzzerTestOneInput),
    ADMISSIONS(GatewayAdmissionsFuzz.class, GatewayAdmissionsFuzz::fuzzerTestOneInput),
    SKIP(SkipFuzz.class, SkipFuzz::fuzzerTestOneInput),
    POD(PodFuzz.class, PodFuzz::fuzzerTestOneInput),
    LIST(ListFuzz.class, ListFuzz::fuzzerTestOneInput),
    WATCH(WatchFuzz.class, WatchFuzz::fuzzerTestOneInput),
    SNAPSHOT(SnapshotFuzz.class, SnapshotFuzz::fuzzerTestOneInput),
    FACTS(FactsFuzz.class, FactsFuzz::fuzzerTestOneInput),
    MESSAGE(MessageFuzz.class, MessageFuzz::fuzzerTestOneInput),
    CONFIG(ConfigFuzz.class, ConfigFuzz::fuzzerTestOneInput),
    INJECTION(InjectionFuzz.class, InjectionFuzz::fuzzerTestOneInput),
    MANIFEST(ManifestFuzz.class, ManifestFuzz::fuzzerTestOneInput),
    SUMMARY(SummaryFuzz.class, SummaryFuzz::fuzzerTestOneInput),
    PEM(PemFuzz.class, PemFuzz::fuzzerTestOneInput),
    QUANTITY(QuantityFuzz.class, QuantityFuzz::fuzzerTestOneInput);

    static final Path CORPUS = Path.of("src", "fuzz", "corpus");

    private final Class<?> type;

    @SuppressWarnings("ImmutableEnumChecker") // a reference to a static method holds nothing
    private final Consumer<byte[]> once;

    FuzzTarget(Class<?> type, Consumer<byte[]> once) {
        this.type = type;
        this.once = once;
    }

    String className() {
        return type.getName();
    }

    /** Where its seeds are, one a file. */
    Path seeds() {
        return CORPUS.resolve(type.getSimpleName());
    }

    /** Fails where the property does not hold for {@code input}. */
    void tryOnce(byte[] input) {
        once.accept(input);
    }
}
