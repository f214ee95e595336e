package dev.sluice.admission.injection;

import static dev.sluice.admission.injection.Pods.GPU;
import static dev.sluice.admission.injection.Pods.container;
import static dev.sluice.admission.injection.Pods.injector;
import static dev.sluice.admission.injection.Pods.main;
import static dev.sluice.admission.injection.Pods.pod;
import static dev.sluice.admission.injection.Pods.portions;
import static dev.sluice.admission.injection.Pods.quantity;
import static dev.sluice.admission.injection.Pods.rules;
import static dev.sluice.admission.injection.Pods.types;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.sluice.admission.injection.Injection.Basis;
import dev.sluice.admission.injection.Injection.Injected;
import dev.sluice.admission.injection.Injection.KeptRequest;
import dev.sluice.admission.injection.Injection.Refusal;
import dev.sluice.admission.injection.Injection.Refused;
import dev.sluice.admission.injection.Injection.Wanted;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InjectorTest {

    private static final ResourceName AMD = new ResourceName("amd.com/gpu");
    private static final Injector V100 = injector(rules("cpu 4000 m", "memory 8 Gi"));

    @ParameterizedTest
    @CsvSource({
        "'', cpu=8 memory=16Gi",
        "cpu=1000m memory=2Gi, cpu=7 memory=14Gi",
        "cpu=500m memory=1Gi, cpu=7500m memory=15Gi",
        "cpu=8 memory=16Gi, cpu=0 memory=0",
    })
    void workedExample(String other, String expected) {
        Injection injection = V100.inject(pod("V100", main("gpu", "nvidia.com/gpu=2"), main("side", other)));

        assertThat(portions(injection, 0)).isEqualTo(expected);
        assertThat(portions(injection, 1)).isEmpty();
    }

    @Test
    void sharesByTheGpusOfEachContainer() {
        Injection injection = V100.inject(pod(
                "V100",
                main("one", "nvidia.com/gpu=1 cpu=99 memory=1Ti"),
                main("none", "cpu=1"),
                main("two", "nvidia.com/gpu=2")));

        assertThat(portions(injection, 0)).isEqualTo("cpu=3666m memory=8Gi");
        assertThat(portions(injection, 2)).isEqualTo("cpu=7332m memory=16Gi");
    }

    /** From gpuinjector's own tests, with 1.0/14 as its floating point prints it. */
    @Test
    void dividesInThousandthsAlsoOfBytes() {
        ResourceName key = new ResourceName("tke.cloud.tencent.com/qgpu-memory");
        Injector injector = injector(types("QGPU", Map.of(key, rules("memory 142.85714285714286 Mi", "cpu 0.0715"))));

        Injection injection =
                injector.inject(pod("QGPU", main("gpu", key + "=14"), main("side", "cpu=500m memory=500Mi")));

        assertThat(((Injected) injection).lines())
                .extracting(line -> ((Basis.Shared) line.basis()).perGpu().canonical())
                .containsExactly("112347428571m", "35m");
        assertThat(portions(injection, 0)).isEqualTo("memory=1572863999994m cpu=490m");
    }

    @Test
    void givesOtherResourcesToEachContainerByItself() {
        Injector injector = injector(rules("nvidia.com/shm 1.5 Gi", "tke.cloud.tencent.com/qgpu-core 2.5"));
        Injection injection = injector.inject(pod(
                "V100",
                main("one", "nvidia.com/gpu=1"),
                main("three", "nvidia.com/gpu=3"),
                main("side", "nvidia.com/shm=5Gi")));

        assertThat(portions(injection, 0)).isEqualTo("nvidia.com/shm=1Gi tke.cloud.tencent.com/qgpu-core=2");
        assertThat(portions(injection, 1)).isEqualTo("nvidia.com/shm=4Gi tke.cloud.tencent.com/qgpu-core=7");
        assertThat(portions(injection, 2)).isEmpty();
    }

    @Test
    void countsDevicesInWholeOnes() {
        Injector injector = injector(rules("example.com/share 1500 m"));

        assertThat(portions(injector.inject(pod("V100", main("gpu", "nvidia.com/gpu=1"))), 0))
                .isEqualTo("example.com/share=1");
        assertThat(portions(injector.inject(pod("V100", main("gpu", "nvidia.com/gpu=2"))), 0))
                .isEqualTo("example.com/share=3");
    }

    @ParameterizedTest
    @CsvSource({
        "2.5, '', 3, 7",
        "0.5, '', 3, 1",
        "1.1, '', 10, 11",
        "1e3, m, 4, 4",
        "1E3, m, 3, 3",
        "0.29, '', 100, 29",
        "1.1, Gi, 3, 3Gi",
        "4e-1, k, 10, 4k",
        "0, Gi, 10, 0",
        "2, e3, 3, 6e3",
        "1000, Mi, 2, 2000Mi",
        "1024, Mi, 2, 2Gi",
    })
    void floorsExactly(String coefficient, String unit, long gpus, String expected) {
        Injector injector = injector(rules("cpu " + coefficient + " " + unit));

        Injection injection = injector.inject(pod("V100", main("gpu", "nvidia.com/gpu=" + gpus)));

        assertThat(injection)
                .asInstanceOf(type(Injected.class))
                .satisfies(given -> assertThat(
                                ((Basis.Shared) given.lines().getFirst().basis())
                                        .total()
                                        .canonical())
                        .isEqualTo(expected));
    }

    @Test
    void doesNothingWithoutARule() {
        assertThat(V100.inject(pod("T4", main("gpu", "nvidia.com/gpu=1")))).isEqualTo(new Injection.NothingInjected());
        assertThat(V100.inject(pod("V100", main("gpu", "amd.com/gpu=1")))).isEqualTo(new Injection.NothingInjected());
        assertThat(V100.inject(pod("V100", main("none", "cpu=1")))).isEqualTo(new Injection.NothingInjected());
        assertThat(V100.inject(pod("V100", container(PodContainerKind.INIT, "init", "nvidia.com/gpu=1"))))
                .isEqualTo(new Injection.NothingInjected());
        assertThat(Injector.NONE.inject(pod("V100", main("gpu", "nvidia.com/gpu=1"))))
                .isEqualTo(new Injection.NothingInjected());
    }

    @Test
    void takesTheNamespacesRuleOnlyWhereTypeAndResourceMatch() {
        InjectionRules rules = new InjectionRules(
                new InjectionRules.GpuTypes(
                        Map.of("V100", Map.of(GPU, rules("cpu 4")), "T4", Map.of(GPU, rules("cpu 2")))),
                Map.of("team-a", types("V100", Map.of(GPU, rules("cpu 6"), AMD, rules("cpu 3")))),
                Set.of("skipped"));
        Injector injector = new Injector(rules, Injector.UserValues.OVERWRITTEN);

        assertThat(portions(injector.inject(in("team-a", "V100", GPU)), 0)).isEqualTo("cpu=6");
        assertThat(portions(injector.inject(in("team-a", "V100", AMD)), 0)).isEqualTo("cpu=3");
        assertThat(portions(injector.inject(in("team-a", "T4", GPU)), 0)).isEqualTo("cpu=2");
        assertThat(portions(injector.inject(in("team-b", "V100", GPU)), 0)).isEqualTo("cpu=4");
        assertThat(injector.inject(in("team-b", "V100", AMD))).isEqualTo(new Injection.NothingInjected());
        assertThat(injector.inject(in("skipped", "V100", GPU))).isEqualTo(new Injection.NothingInjected());
    }

    private static InjectionPodResources in(String namespace, String type, ResourceName resource) {
        return new InjectionPodResources(namespace, type, List.of(main("gpu", resource + "=1")), Set.of(), "");
    }

    @Test
    void refusesDifferentResourcesAlsoOfBothMaps() {
        InjectionRules rules = new InjectionRules(
                types("V100", Map.of(GPU, rules("cpu 4"))),
                Map.of("team-a", types("V100", Map.of(AMD, rules("cpu 3")))),
                Set.of());

        Injection injection = new Injector(rules, Injector.UserValues.OVERWRITTEN)
                .inject(pod("V100", main("a", "nvidia.com/gpu=1"), main("b", "amd.com/gpu=1")));

        assertThat(injection)
                .isEqualTo(new Refused(new Refusal.DifferentResources(
                        "V100", List.of(new Wanted(AMD, List.of("b")), new Wanted(GPU, List.of("a"))))));
    }

    @Test
    void refusesAPodThatNamesTheResourceAndAsksForNone() {
        assertThat(V100.inject(pod("V100", main("gpu", "nvidia.com/gpu=0"))))
                .isEqualTo(new Refused(new Refusal.ZeroGpus("V100", new Wanted(GPU, List.of("gpu")))));
    }

    @Test
    void aContainerWithZeroGpusIsOneWithout() {
        Injection injection =
                V100.inject(pod("V100", main("gpu", "nvidia.com/gpu=1"), main("zero", "nvidia.com/gpu=0 cpu=1")));

        assertThat(portions(injection, 0)).isEqualTo("cpu=3 memory=8Gi");
        assertThat(portions(injection, 1)).isEmpty();
    }

    @Test
    void refusesWhenTheOthersRequestMoreThanThereIs() {
        Injection injection = V100.inject(
                pod("V100", main("gpu", "nvidia.com/gpu=2"), main("a", "cpu=5"), main("b", "cpu=3001m memory=1Gi")));

        assertThat(injection).asInstanceOf(type(Refused.class)).satisfies(refused -> {
            Refusal.TooLarge refusal = (Refusal.TooLarge) refused.refusal();
            assertThat(refusal.resource()).isEqualTo(ResourceName.CPU);
            assertThat(refusal.total().canonical()).isEqualTo("8");
            assertThat(refusal.taken())
                    .containsExactly(new KeptRequest("a", quantity("5")), new KeptRequest("b", quantity("3001m")));
            assertThat(refusal.asked().canonical()).isEqualTo("8001m");
        });
    }

    @Test
    void sidecarsWithoutGpuCountAmongTheOthersAndInitContainersDoNot() {
        Injection injection = V100.inject(pod(
                "V100",
                main("gpu", "nvidia.com/gpu=1"),
                container(PodContainerKind.SIDECAR, "proxy", "cpu=500m"),
                container(PodContainerKind.SIDECAR, "encoder", "nvidia.com/gpu=1 cpu=2"),
                container(PodContainerKind.INIT, "prepare", "cpu=100 memory=1Ti")));

        assertThat(portions(injection, 0)).isEqualTo("cpu=3500m memory=8Gi");
        for (int other = 1; other < 4; other++) {
            assertThat(portions(injection, other)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"1e18", "9223372036854775807", "1e99999999", "9223372036854775808"})
    void refusesAbsurdNumbersOfGpus(String gpus) {
        assertThat(V100.inject(pod("V100", main("gpu", "nvidia.com/gpu=" + gpus))))
                .asInstanceOf(type(Refused.class))
                .satisfies(refused -> assertThat(refused.refusal()).isInstanceOf(Refusal.Overflow.class));
    }

    @ParameterizedTest
    @CsvSource({"1e18", "1e99999999", "9E"})
    void absurdRequestsOfOthersAreTooLarge(String cpu) {
        assertThat(V100.inject(pod("V100", main("gpu", "nvidia.com/gpu=1"), main("side", "cpu=" + cpu))))
                .asInstanceOf(type(Refused.class))
                .satisfies(refused -> assertThat(refused.refusal()).isInstanceOf(Refusal.TooLarge.class));
    }

    @Test
    void leavesToThePodWhatItAsksForAsAWhole() {
        InjectionPodResources pod = new InjectionPodResources(
                "team-a",
                "V100",
                List.of(main("gpu", "nvidia.com/gpu=1"), main("side", "cpu=100")),
                Set.of(ResourceName.CPU),
                "");

        assertThat(portions(V100.inject(pod), 0)).isEqualTo("memory=8Gi");
    }

    @Test
    void aRuleNamesAResourceOnce() {
        assertThatIllegalArgumentException().isThrownBy(() -> rules("cpu 1", "cpu 2"));
    }
}
