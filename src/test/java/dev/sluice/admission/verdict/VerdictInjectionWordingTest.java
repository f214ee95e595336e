package dev.sluice.admission.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.injection.Injection.KeptRequest;
import dev.sluice.admission.injection.Injection.Refusal;
import dev.sluice.admission.injection.Injection.Wanted;
import dev.sluice.admission.injection.InjectionCoefficient;
import dev.sluice.admission.injection.InjectionPodResources;
import dev.sluice.admission.injection.InjectionPodResources.Container;
import dev.sluice.admission.injection.InjectionResourceRule;
import dev.sluice.admission.injection.InjectionResourceRule.Unit;
import dev.sluice.admission.injection.InjectionRule;
import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.injection.InjectionRules.GpuTypes;
import dev.sluice.admission.injection.InjectionRules.RuleInUse;
import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerdictInjectionWordingTest {

    private static final ResourceName GPU = ResourceName.NVIDIA_GPU;

    private static String denied(String gpus, String... cpu) {
        InjectionRule fourEach = new InjectionRule(
                List.of(new InjectionResourceRule(
                        ResourceName.CPU, InjectionCoefficient.parse("4").orElseThrow(), Unit.NONE)),
                Map.of());
        Injector injector = new Injector(
                new InjectionRules(new GpuTypes(Map.of("V100", Map.of(GPU, fourEach))), Map.of(), Set.of()),
                Injector.UserValues.OVERWRITTEN);
        List<Container> containers = new ArrayList<>();
        containers.add(container("g", GPU, gpus));
        for (String each : cpu) {
            containers.add(container("side", ResourceName.CPU, each));
        }
        Injection injection = injector.inject(new InjectionPodResources("team-a", "V100", containers, Set.of(), ""));
        return new VerdictInjectionWording(List.of()).denied(((Injection.Refused) injection).refusal());
    }

    private static Container container(String name, ResourceName resource, String amount) {
        Map<ResourceName, Quantity> both =
                Map.of(resource, Quantity.parse(amount).orElseThrow());
        return new Container(PodContainerKind.MAIN, name, both, both);
    }

    @Test
    void saysByHowMuchTheRequestsAreTooLarge() {
        assertThat(denied("1", "5500m"))
                .startsWith("container side: requests of 5500m cpu outside the GPU containers are too large:"
                        + " 1 nvidia.com/gpu of gpu-type V100 allow 4 (1500m too much); request at most 4 there");
    }

    /** The difference of such a request and the total has as many digits as the exponent says. */
    @ParameterizedTest
    @ValueSource(strings = {"1e9999999", "1e99999999", "1e2147483647", "1e300", "123456789012345678901234567890"})
    void leavesTheDifferenceOutForAnAbsurdRequest(String cpu) {
        assertThat(denied("1", cpu))
                .contains("requests of " + cpu + " cpu", "allow 4; request at most 4 there")
                .hasSizeLessThanOrEqualTo(WarningText.LONGEST);
        assertThat(denied("1", "5", cpu)).hasSizeLessThanOrEqualTo(WarningText.LONGEST);
        assertThat(denied("1", cpu, "5")).hasSizeLessThanOrEqualTo(WarningText.LONGEST);
    }

    @Test
    void shortensAmountsOfManyDigits() {
        String many = "9".repeat(60);

        assertThat(denied("1", many)).contains("requests of 999").hasSizeLessThanOrEqualTo(WarningText.LONGEST);
        assertThat(denied(many)).startsWith("999").hasSizeLessThanOrEqualTo(WarningText.LONGEST);
        assertThat(denied("1e99999999"))
                .startsWith("1e99999999 nvidia.com/gpu would bring")
                .hasSizeLessThanOrEqualTo(WarningText.LONGEST);
    }

    private static final String DROP = ", or drop the annotation " + InjectionPodResources.TYPE;

    private static RuleInUse rule(ResourceName resource) {
        return new RuleInUse(
                "t".repeat(300), resource, new RuleInUse.Source.Default(), new InjectionRule(List.of(), Map.of()));
    }

    /** Whatever is long, the end says what would work. */
    @Test
    void neverCutsWhatWouldWork() {
        ResourceName given = new ResourceName("example.com/" + "g".repeat(63));
        ResourceName asked = new ResourceName("nvidia.com/mig-2g.20gb");
        VerdictInjectionWording wording = new VerdictInjectionWording(List.of(new PodRequestReplacement(asked, given)));
        List<KeptRequest> taken = IntStream.range(0, 90)
                .mapToObj(i -> new KeptRequest(
                        "c".repeat(63), Quantity.parse("9".repeat(30)).orElseThrow()))
                .toList();
        Quantity total = Quantity.parse("1234567m").orElseThrow();

        assertThat(wording.denied(new Refusal.TooLarge(
                        rule(given), 1L << 60, new ResourceName("ephemeral-storage"), total, taken)))
                .contains("given for " + asked, "are too large", "ccc...ccc and 89 more")
                .endsWith("; request at most 1234567m there" + DROP);
        assertThat(wording.denied(new Refusal.ZeroGpus(
                        "t".repeat(300), new Wanted(given, List.of("c".repeat(63), "d")))))
                .contains("given for " + asked, "has no gpu")
                .endsWith("; ask for 1 or more" + DROP)
                .hasSizeLessThanOrEqualTo(WarningText.LONGEST);
        assertThat(wording.denied(new Refusal.Overflow(rule(given), "9".repeat(200), ResourceName.CPU)))
                .contains("given for " + asked, "9...9")
                .endsWith("; ask for fewer" + DROP)
                .hasSizeLessThanOrEqualTo(WarningText.LONGEST);
        assertThat(wording.denied(new Refusal.DifferentResources(
                        "t".repeat(300), List.of(new Wanted(given, List.of("c")), new Wanted(asked, List.of("d"))))))
                .contains("different GPU resources")
                .endsWith("; split the pod" + DROP)
                .hasSizeLessThanOrEqualTo(WarningText.LONGEST);
    }

    @Test
    void namesTheAskedResourceInFullHoweverLong() {
        ResourceName asked = new ResourceName("d".repeat(200) + ".example.com/" + "g".repeat(63));

        assertThat(new VerdictInjectionWording(List.of())
                        .denied(new Refusal.ZeroGpus("t".repeat(300), new Wanted(asked, List.of("c".repeat(63))))))
                .contains(asked.value())
                .endsWith("; ask for 1 or more" + DROP);
    }

    @Test
    void shortensNamesInTheirMiddleAndKeepsTheNumbers() {
        ResourceName gpu = new ResourceName("nvidia.com/gpu");
        String container = "a-container-" + "x".repeat(40) + "-sidecar";
        List<KeptRequest> taken =
                List.of(new KeptRequest(container, Quantity.parse("20Gi").orElseThrow()));

        assertThat(new VerdictInjectionWording(List.of())
                        .denied(new Refusal.TooLarge(
                                rule(gpu),
                                2,
                                ResourceName.MEMORY,
                                Quantity.parse("16Gi").orElseThrow(),
                                taken)))
                .startsWith("container a-conta")
                .contains("idecar: requests of 20Gi memory", "2 nvidia.com/gpu", "allow 16Gi")
                .endsWith("; request at most 16Gi there" + DROP)
                .hasSizeLessThanOrEqualTo(WarningText.LONGEST);
    }

    @Test
    void namesSomeOfManyResources() {
        List<Wanted> wanted = IntStream.range(0, 1_000)
                .mapToObj(i -> new Wanted(new ResourceName("example.com/gpu" + i), List.of("c")))
                .toList();

        assertThat(new VerdictInjectionWording(List.of()).denied(new Refusal.DifferentResources("T", wanted)))
                .contains("can serve one only: example.com/gpu0 and 999 more; split the pod")
                .hasSizeLessThanOrEqualTo(WarningText.LONGEST);
    }
}
