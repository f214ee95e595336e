package dev.sluice.doctor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Judges pods and owners within the limits of a diagnosis. The next pod or owner is always from the namespace that has
 * taken the least time so far. If the pods of one namespace take long to judge, mainly the verdicts of that namespace
 * are delayed or left out.
 */
final class DiagnosisOrder {

    /** The estimated memory of a verdict, without its texts, in bytes. */
    private static final long VERDICT = 300;

    /** The estimated memory of a piece of evidence, without its texts, in bytes. */
    private static final long EVIDENCE = 150;

    /** The largest number of bytes that one character of a text can take in memory. */
    private static final int CHARACTER = 2;

    /**
     * A pod or owner to judge.
     *
     * @param rule a supplier of the verdict, or of an empty result if the pod or owner gets no verdict
     * @param notJudged a function that creates the verdict if the rule was not applied; its argument is a sentence with
     *     the reason
     */
    record Judged(Supplier<Optional<PodDiagnosis>> rule, Function<String, PodDiagnosis> notJudged) {}

    private static final class Turn {
        private final Deque<Judged> waiting = new ArrayDeque<>();
        private final String namespace;
        private double used;

        Turn(String namespace) {
            this.namespace = namespace;
        }
    }

    private final DiagnosisLimits limits;
    private final RuleTime time;
    private final Map<String, Turn> turns = new HashMap<>();
    private final Map<String, Long> notJudged = new TreeMap<>();
    private long bytes;

    DiagnosisOrder(DiagnosisLimits limits) {
        this.limits = limits;
        this.time = new RuleTime(limits);
    }

    void add(String namespace, Judged judged) {
        turns.computeIfAbsent(namespace, Turn::new).waiting.add(judged);
    }

    /** Returns the verdicts, in any order. */
    List<PodDiagnosis> judge() {
        List<PodDiagnosis> verdicts = new ArrayList<>();
        PriorityQueue<Turn> next = new PriorityQueue<>(
                Comparator.<Turn>comparingDouble(turn -> turn.used).thenComparing(turn -> turn.namespace));
        next.addAll(turns.values());
        long start = time.now();
        long allNanos = limits.all().toNanos();
        for (Turn turn = next.poll(); turn != null; turn = next.poll()) {
            long before = time.now();
            boolean isOver = before - start > allNanos || bytes > limits.bytes();
            Optional<PodDiagnosis> verdict = verdict(turn, isOver);
            long weight = verdict.map(DiagnosisOrder::bytes).orElse(0L);
            bytes += weight;
            turn.used += (double) (time.now() - before) / allNanos + (double) weight / limits.bytes();
            verdict.ifPresent(verdicts::add);
            if (!turn.waiting.isEmpty()) {
                next.add(turn);
            }
        }
        return verdicts;
    }

    private Optional<PodDiagnosis> verdict(Turn turn, boolean isOver) {
        Judged judged = turn.waiting.remove();
        return isOver
                ? leftOut(turn, judged, "the limits for the whole report were reached before")
                : time.within(judged.rule())
                        .orElseGet(() -> leftOut(
                                turn,
                                judged,
                                "a rule took longer than " + limits.rule().toMillis() + " ms"));
    }

    private Optional<PodDiagnosis> leftOut(Turn turn, Judged judged, String why) {
        notJudged.merge(turn.namespace, 1L, Long::sum);
        return Optional.of(judged.notJudged().apply("It was not judged, because " + why + "."));
    }

    /** Returns the number of pods and owners that were not judged, by namespace. */
    Map<String, Long> notJudged() {
        return notJudged;
    }

    private static long bytes(PodDiagnosis verdict) {
        long weight = VERDICT
                + CHARACTER
                        * (long)
                                (verdict.explanation().length() + verdict.name().length());
        for (DiagnosisCause.Evidence evidence : verdict.evidence()) {
            weight += EVIDENCE
                    + CHARACTER
                            * (long) (evidence.name().length() + evidence.fact().length());
        }
        return weight;
    }
}
