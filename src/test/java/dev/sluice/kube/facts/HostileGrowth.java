package dev.sluice.kube.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.sluice.doctor.Diagnosis;
import dev.sluice.doctor.DiagnosisLimits;
import dev.sluice.kube.facts.HostileObjects.Choice;
import dev.sluice.kube.facts.HostileObjects.Place;
import java.nio.file.Path;
import java.util.List;

/**
 * The benchmark with hostile fields: twice the objects of a tenant take no more than about twice the processor time,
 * whatever text the tenant chooses, without any limit for the rules.
 */
final class HostileGrowth {

    private static final HostileObjects OBJECTS = new HostileObjects();
    private static final long MILLISECOND = 1_000_000;

    /** Growth is measured only where a run takes so long, because short runs differ by chance. */
    private static final long MEASURABLE = 400 * MILLISECOND;

    private static final int ATTEMPTS = 3;

    private final Path directory;

    HostileGrowth(Path directory) {
        this.directory = directory;
    }

    private long cpu(Place place, Choice choice, int objects) throws Exception {
        ArrayNode items = OBJECTS.others();
        OBJECTS.add(items, place, choice, objects);
        Path file = HostileObjects.write(directory.resolve("hostile.json"), items);
        long before = LiveFactsCpuTime.ofThread();
        var facts = FactsFiles.read(List.of(file), new KubectlFileLimits(1L << 40, 1L << 40), (_, _) -> {});
        assertThat(Diagnosis.of(facts, DiagnosisLimits.NONE)).isNotNull();
        return LiveFactsCpuTime.ofThread() - before;
    }

    /** Returns a line with the times. Fails if they grow too much each time: once may be chance on a busy machine. */
    String check(Place place, Choice choice, int few, int many) throws Exception {
        for (int attempt = 1; ; attempt++) {
            long less = cpu(place, choice, few);
            long more = cpu(place, choice, many);
            String line = place + " " + choice + ": " + few + " objects " + less / MILLISECOND + " ms, " + many
                    + " objects " + more / MILLISECOND + " ms";
            boolean isQuadratic = more > MEASURABLE && more > less * 2 * (many / few);
            if (!isQuadratic) {
                return line;
            }
            assertThat(attempt).as(line).isLessThan(ATTEMPTS);
        }
    }
}
