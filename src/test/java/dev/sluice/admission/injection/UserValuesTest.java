package dev.sluice.admission.injection;

import static dev.sluice.admission.injection.Pods.GPU;
import static dev.sluice.admission.injection.Pods.portions;
import static dev.sluice.admission.injection.Pods.quantities;
import static dev.sluice.admission.injection.Pods.rules;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.InjectionPodResources.Container;
import dev.sluice.admission.injection.Injector.UserValues;
import dev.sluice.cluster.PodContainerKind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserValuesTest {

    private static final InjectionRules RULES = new InjectionRules(
            Pods.types("V100", Map.of(GPU, rules("cpu 4", "example.com/shm 2 Gi"))), Map.of(), Set.of());

    private static final String CPU_REQUEST = "LimitRanger plugin set: cpu request for container gpu";
    private static final String CPU_LIMIT = "LimitRanger plugin set: cpu limit for container gpu";
    private static final String BOTH = CPU_REQUEST + "; cpu limit for container gpu";

    @ParameterizedTest
    @CsvSource({
        // requests, limits, what LimitRanger says, overwritten, kept
        "'', '', '', 4, 4",
        "cpu=1, cpu=2, '', 4, 1/2",
        "cpu=10, '', '', 4, 10",
        "cpu=1, '', '', 4, 1/4",
        "cpu=10, cpu=10, '', 4, 10",
        "cpu=500m, cpu=1, " + BOTH + ", 4, 4",
        "cpu=10, cpu=12, " + CPU_LIMIT + ", 4, 10",
        "cpu=500m, cpu=2, " + CPU_REQUEST + ", 4, 2",
        "cpu=500m, cpu=1, LimitRanger plugin set: cpu request for container other, 4, 500m/1",
        "cpu=500m, cpu=1, LimitRanger plugin set: cpu request for init container gpu, 4, 500m/1",
        "cpu=500m, cpu=1, LimitRanger plugin set: memory request for container gpu, 4, 500m/1",
        "cpu=500m, cpu=1, cpu request for container gpu, 4, 500m/1",
    })
    void keepsWhatTheUserWroteAndNotWhatLimitRangerDid(
            String requests, String limits, String limitRanger, String overwritten, String kept) {
        assertThat(cpu(requests, limits, limitRanger, UserValues.OVERWRITTEN)).isEqualTo("cpu=" + overwritten);
        assertThat(cpu(requests, limits, limitRanger, UserValues.KEPT)).isEqualTo("cpu=" + kept);
    }

    private static String cpu(String requests, String limits, String limitRanger, UserValues values) {
        return portions(inject(requests, limits, limitRanger, values), 0).replaceFirst(" .*", "");
    }

    private static Injection inject(String requests, String limits, String limitRanger, UserValues values) {
        Container gpu = new Container(
                PodContainerKind.MAIN,
                "gpu",
                quantities(("nvidia.com/gpu=1 " + limits).strip()),
                quantities(("nvidia.com/gpu=1 " + requests).strip()));
        return new Injector(RULES, values)
                .inject(new InjectionPodResources("team-a", "V100", List.of(gpu), Set.of(), limitRanger));
    }

    @ParameterizedTest
    @CsvSource({"'', '', 2Gi", "'', example.com/shm=5Gi, 5Gi", "example.com/shm=3Gi, '', 3Gi"})
    void devicesAreKeptAlikeInBothMaps(String requests, String limits, String expected) {
        assertThat(portions(inject(requests, limits, "", UserValues.KEPT), 0))
                .isEqualTo("cpu=4 example.com/shm=" + expected);
    }

    @ParameterizedTest
    @CsvSource({
        "'LimitRanger plugin set: cpu, memory request for container gpu; cpu limit for container b', 1",
        "'LimitRanger plugin set: ephemeral-storage, memory, cpu limit for container gpu', 500m/4",
    })
    void readsListsOfNames(String limitRanger, String expected) {
        assertThat(cpu("cpu=500m", "cpu=1", limitRanger, UserValues.KEPT)).isEqualTo("cpu=" + expected);
    }
}
