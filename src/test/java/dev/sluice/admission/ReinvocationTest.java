package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.AdmissionChain.Change;
import dev.sluice.admission.AdmissionChain.Limits;
import dev.sluice.admission.AdmissionChain.TestPod;
import dev.sluice.admission.AdmissionChain.Webhook;
import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.NamespaceLimitRangeRule;
import dev.sluice.admission.request.NamespaceLimits;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.RandomCluster;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.Toleration.TolerationOperator;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever LimitRanges and other webhooks do, a container ends with what it asked for, under one name or as written.
 */
class ReinvocationTest {

    private static final int CLUSTERS_PER_SEED = 250;
    private static final List<ResourceName> DEVICES = List.of(
            new ResourceName("nvidia.com/mig-1g.10gb"),
            new ResourceName("nvidia.com/mig-2g.20gb"),
            new ResourceName("nvidia.com/mig-3g.40gb"),
            ResourceName.NVIDIA_GPU);
    private static final Taint TAINT = new Taint("nvidia.com/gpu", "", Taint.Effect.NO_SCHEDULE);

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noContainerEndsWithMoreThanItWouldHaveWithoutSluice(long seed) {
        Random random = new Random(seed);
        int judged = 0;
        for (int i = 0; i < CLUSTERS_PER_SEED; i++) {
            judged += new Namespace(random).holdsItsLaws() ? 1 : 0;
        }
        assertThat(judged).isGreaterThan(CLUSTERS_PER_SEED / 4);
    }

    /** Three webhooks and two LimitRanges, a cluster, and Sluice somewhere among the webhooks. */
    private static final class Namespace {

        private final Random random;
        private final ClusterSnapshot cluster;
        private final List<Limits> limits = new ArrayList<>();
        private final List<Webhook> others = new ArrayList<>();
        /** The pod as Sluice left it last. */
        private @Nullable TestPod lastWord;

        private @Nullable TestPod firstSeen;
        private final List<PodRequestReplacement> early = new ArrayList<>();
        private final List<PodRequestReplacement> late = new ArrayList<>();

        Namespace(Random random) {
            this.random = random;
            this.cluster = RandomCluster.snapshot(List.of(node("open", List.of()), node("tainted", List.of(TAINT))));
            for (int i = 0; i < 2; i++) {
                if (random.nextBoolean()) {
                    limits.add(limits());
                }
            }
            for (int i = 0; i < 3; i++) {
                others.add(webhook());
            }
        }

        /** False where the laws promise nothing. */
        boolean holdsItsLaws() {
            TestPod written = pod();
            Webhook sluice = new Webhook("sluice", /* reinvocable= */ true, this::decide);
            List<Webhook> all = new ArrayList<>(others);
            all.add(random.nextInt(all.size() + 1), sluice);
            Optional<TestPod> without = new AdmissionChain(others, limits).create(written);
            Optional<TestPod> with = new AdmissionChain(all, limits).create(written);
            String story = written + " with " + all + " " + limits + " on " + cluster.nodesByName() + "\n becomes "
                    + with + "\n and without Sluice " + without;
            List<Webhook> behind = all.subList(all.indexOf(sluice) + 1, all.size());
            if (without.isEmpty() || hasMet(behind) || isExchangedLateAndWrittenAgain(behind)) {
                return false;
            }
            assertThat(with).as(story).isPresent();
            TestPod stored = with.get();
            if (isOfferedAsFirstSeen(stored)
                    && limits.isEmpty()
                    && stored.limits.keySet().stream().noneMatch(container -> isMixed(container, written))
                    && behind.stream().noneMatch(Namespace::asksForDevices)) {
                assertThat(stored.limits).as(story).isEqualTo(Objects.requireNonNull(firstSeen).limits);
                assertThat(stored.annotations.keySet()).as(story).isSubsetOf("seen");
            }
            for (String container : stored.limits.keySet()) {
                long atFirst = Objects.requireNonNull(firstSeen).total(container);
                long otherwise = without.get().total(container);
                long added = without.get().limits(container).entrySet().stream()
                        .filter(one -> Objects.requireNonNull(firstSeen)
                                .limits(container)
                                .getOrDefault(one.getKey(), Quantity.ZERO)
                                .isZero())
                        .mapToLong(one -> one.getValue().value())
                        .sum();
                assertThat(stored.total(container))
                        .as(story)
                        .isBetween(
                                isMixed(container, written) ? 0L : Math.min(atFirst, otherwise),
                                Math.max(atFirst + added, otherwise));
            }
            boolean isGrown = stored.limits.keySet().stream()
                    .anyMatch(container -> stored.total(container)
                            > Objects.requireNonNull(firstSeen).total(container));
            if (stored.equals(lastWord) && late.isEmpty() && !isGrown) {
                TestPod again = stored.copy();
                assertThat(decide(again)).isTrue();
                assertThat(again).as(story).isEqualTo(stored);
            }
            return true;
        }

        /**
         * A webhook or a LimitRange in front of Sluice has added a device beside one of the author, which nobody can
         * tell from what Sluice gives if the annotation is gone. Or the author asks for nothing in any container, so
         * that managedFields show nothing.
         */
        private boolean isMixed(String container, TestPod written) {
            Map<ResourceName, Quantity> byAuthor = written.limits(container);
            boolean isSilent = written.limits.values().stream().allMatch(Map::isEmpty);
            return isSilent
                    || (!byAuthor.isEmpty()
                            && !byAuthor.keySet()
                                    .containsAll(Objects.requireNonNull(firstSeen)
                                            .limits(container)
                                            .keySet()));
        }

        /** With what others have added to the pod, nodes offer what it asked for when Sluice saw it first. */
        private boolean isOfferedAsFirstSeen(TestPod stored) {
            TestPod asked = Objects.requireNonNull(firstSeen).copy();
            asked.tolerations.clear();
            asked.tolerations.addAll(stored.tolerations);
            return Decider.decide(asked.request(), policy(), cluster) instanceof Verdict.Allowed allowed
                    && allowed.outcome() == Verdict.Outcome.UNCHANGED;
        }

        private static boolean asksForDevices(Webhook webhook) {
            return webhook.name().startsWith("fills") || webhook.name().startsWith("sets");
        }

        /**
         * A webhook behind Sluice writes a given resource, too, and has the last word, or a LimitRange judges what it
         * writes.
         */
        private boolean hasMet(List<Webhook> behind) {
            return early.stream()
                    .map(PodRequestReplacement::given)
                    .anyMatch(given -> behind.stream()
                            .anyMatch(webhook -> webhook.name().contains(given.value())
                                    && (webhook.reinvocable() || !limits.isEmpty())));
        }

        /**
         * The API server asks no webhook a third time, so nobody can undo what one behind Sluice writes after Sluice
         * has exchanged something at its second look only.
         */
        private boolean isExchangedLateAndWrittenAgain(List<Webhook> behind) {
            return late.stream()
                    .anyMatch(move -> behind.stream()
                            .anyMatch(webhook -> webhook.reinvocable()
                                    && (webhook.name().contains(move.asked().value())
                                            || webhook.name()
                                                    .contains(move.given().value()))));
        }

        private boolean decide(TestPod pod) {
            Verdict verdict = Decider.decide(pod.request(), policy(), cluster);
            List<PodRequestReplacement> moves =
                    verdict instanceof Verdict.Allowed allowed ? allowed.moves() : List.of();
            if (firstSeen == null) {
                firstSeen = pod.copy();
                early.addAll(moves);
            } else {
                moves.stream().filter(move -> !early.contains(move)).forEach(late::add);
            }
            if (verdict instanceof Verdict.Allowed allowed) {
                pod.patch(allowed.patch());
            }
            lastWord = pod.copy();
            return !(verdict instanceof Verdict.Denied);
        }

        private NamespacePolicy policy() {
            Policy policy = PolicySwitches.with(Policy.DEFAULT, Policy.WhenClusterHasNoGpu.KEEP);
            List<NamespaceLimitRangeRule> rules = limits.stream()
                    .map(each -> new NamespaceLimitRangeRule(
                            each.ofPod()
                                    ? NamespaceLimitRangeRule.LimitScope.POD
                                    : NamespaceLimitRangeRule.LimitScope.CONTAINER,
                            each.resource(),
                            quantity(each.min()),
                            quantity(each.max()),
                            quantity(each.ratio()),
                            null,
                            null))
                    .toList();
            return new NamespacePolicy(policy, Injector.NONE, "team", new NamespaceLimits(rules));
        }

        private static @Nullable Quantity quantity(@Nullable Long value) {
            return value == null ? null : Quantity.of(value);
        }

        private Node node(String name, List<Taint> taints) {
            Amounts offered = Amounts.NONE;
            for (ResourceName device : DEVICES) {
                if (random.nextInt(3) == 0) {
                    offered = offered.plus(Amounts.of(device, 1 + random.nextInt(6)));
                }
            }
            return new Node(name, Map.of(), taints, /* unschedulable= */ false, offered, offered, 1);
        }

        private TestPod pod() {
            TestPod pod = new TestPod();
            for (String container : List.of("a", "b")) {
                pod.limits.put(container, new TreeMap<>());
                pod.requests.put(container, new TreeMap<>());
                if (random.nextInt(3) > 0) {
                    pod.ask(container, device(), 1);
                    if (random.nextInt(3) == 0) {
                        pod.ask(container, device(), 1);
                    }
                }
            }
            return pod;
        }

        private Limits limits() {
            long max = 1L + random.nextInt(4);
            return new Limits(
                    random.nextInt(3) == 0,
                    device(),
                    random.nextInt(2) == 0 ? random.nextLong(max + 1) : null,
                    random.nextInt(4) == 0 ? random.nextLong(2) : null,
                    random.nextInt(2) == 0 ? max : null,
                    random.nextInt(8) == 0 ? 2L : null);
        }

        private Webhook webhook() {
            ResourceName device = device();
            long count = 1;
            boolean reinvocable = random.nextBoolean();
            return switch (random.nextInt(4)) {
                case 0 -> new Webhook("fills " + device + count, reinvocable, ifMissing(device, count));
                case 1 -> new Webhook("sets " + device + count, reinvocable, each(device, count));
                case 2 ->
                    new Webhook("tolerates", reinvocable, pod -> {
                        Toleration added = new Toleration("nvidia.com/gpu", TolerationOperator.EXISTS, "", "");
                        return pod.tolerations.contains(added) || pod.tolerations.add(added);
                    });
                default ->
                    new Webhook("notes", reinvocable, pod -> {
                        pod.annotations.put("seen", "yes");
                        return true;
                    });
            };
        }

        private static Change ifMissing(ResourceName device, long count) {
            return pod -> {
                pod.limits.keySet().stream()
                        .filter(container -> !pod.limits(container).containsKey(device))
                        .forEach(container -> pod.ask(container, device, count));
                return true;
            };
        }

        private static Change each(ResourceName device, long count) {
            return pod -> {
                pod.limits.keySet().forEach(container -> pod.ask(container, device, count));
                return true;
            };
        }

        private ResourceName device() {
            return DEVICES.get(random.nextInt(DEVICES.size()));
        }
    }
}
