package dev.sluice.admission.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Decider;
import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.injection.InjectionCoefficient;
import dev.sluice.admission.injection.InjectionPodResources;
import dev.sluice.admission.injection.InjectionResourceRule;
import dev.sluice.admission.injection.InjectionResourceRule.Unit;
import dev.sluice.admission.injection.InjectionRule;
import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.injection.InjectionRules.GpuTypes;
import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.RandomPod;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.RandomCluster;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PodPatchTest {

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    private static Injector injector(Random random, Policy policy) {
        Map<ResourceName, InjectionRule> rules = new HashMap<>();
        Set<ResourceName> keys = policy.chains().names();
        for (ResourceName key : keys) {
            if (random.nextInt(3) > 0) {
                rules.put(
                        key,
                        new InjectionRule(
                                List.of(
                                        resource("cpu", random.nextInt(90) + ".5", "m"),
                                        resource("memory", "1." + random.nextInt(9), "Gi"),
                                        resource("example.com/shm", "0.7", "k")),
                                random.nextBoolean() ? Map.of("a.example.com/b", "c") : Map.of()));
            }
        }
        return new Injector(
                new InjectionRules(new GpuTypes(Map.of("T", rules)), Map.of(), Set.of()),
                random.nextBoolean() ? Injector.UserValues.KEPT : Injector.UserValues.OVERWRITTEN);
    }

    private static InjectionResourceRule resource(String name, String coefficient, String unit) {
        return new InjectionResourceRule(
                new ResourceName(name),
                InjectionCoefficient.parse(coefficient).orElseThrow(),
                Unit.of(unit).orElseThrow());
    }

    private static PodRequest typed(PodRequest pod) {
        PodRequestAnnotations annotations = pod.annotations().with(Map.of(InjectionPodResources.TYPE, "T"));
        return new PodRequest(
                pod.containers(), pod.podLevel(), pod.overhead(), pod.gated(), pod.constraints(), annotations);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void doneTwiceIsDoneOnce(long seed) {
        Random random = new Random(seed);
        RandomPod pods = new RandomPod(random);
        int injected = 0;
        for (int i = 0; i < 400; i++) {
            ClusterSnapshot cluster = RandomCluster.snapshot(new RandomCluster(random).nodes(random.nextInt(7)));
            Policy policy = pods.policy();
            NamespacePolicy standing = new NamespacePolicy(policy, injector(random, policy), "team-a");
            PodRequest pod = typed(pods.pod());
            if (Decider.decide(pod, standing, cluster) instanceof Verdict.Allowed allowed
                    && allowed.outcome() != Verdict.Outcome.UNTOUCHED
                    && PodPatch.attempt(GpuRequest.of(pod, policy), allowed.moves(), standing)
                            instanceof PodPatch.Attempt.PodChanged done) {
                assertThat(done.change().patch()).isEqualTo(allowed.patch());
                PodRequest after = done.change().after();
                PodPatch again = again(GpuRequest.of(after, policy), standing);
                assertThat(again.patch()).as("%s by %s", pod, standing).isEmpty();
                assertThat(PatchedPod.problem(after, List.of())).isEmpty();
                injected += done.change().injection() instanceof Injection.Injected ? 1 : 0;
                legal(after);
            }
        }
        assertThat(injected).isGreaterThan(20);
    }

    private static PodPatch again(GpuRequest ask, NamespacePolicy policy) {
        return ((PodPatch.Attempt.PodChanged) PodPatch.attempt(ask, List.of(), policy)).change();
    }

    private static void legal(PodRequest pod) {
        for (ContainerRequest container : pod.containers()) {
            for (ResourceName name : List.of(ResourceName.CPU, ResourceName.MEMORY)) {
                Quantity request = container.request(name);
                Quantity limit = container.limit(name);
                assertThat(request == null || limit == null || request.compareTo(limit) <= 0)
                        .as("%s of %s", name, container)
                        .isTrue();
            }
        }
    }
}
