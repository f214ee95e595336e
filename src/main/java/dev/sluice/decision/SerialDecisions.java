package dev.sluice.decision;

import dev.sluice.admission.Decider;
import dev.sluice.admission.Decision;
import dev.sluice.admission.Reason;
import dev.sluice.admission.Room;
import dev.sluice.admission.Stamping;
import dev.sluice.admission.Verdict;
import dev.sluice.bus.PodQuestion;
import dev.sluice.cluster.Amounts;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.ResourceName;
import dev.sluice.ledger.Decided;
import dev.sluice.ledger.Ledger;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Decides and reserves, so that no two pods are given the same. */
final class SerialDecisions {

    private final Ledger ledger;
    private final InstantSource clock;
    private final Answers answers;
    private final Room room;

    SerialDecisions(Ledger ledger, InstantSource clock) {
        this.ledger = ledger;
        this.clock = clock;
        this.answers = new Answers(ledger::isAssumed);
        this.room = new Room() {
            @Override
            public boolean isFree(Amounts need, NodeConstraints constraints) {
                return ledger.isFree(need, constraints);
            }

            @Override
            public long freeOf(ResourceName device) {
                return ledger.freeOf(device);
            }
        };
    }

    Verdict decide(PodQuestion question, ClusterSnapshot cluster) {
        String namespace = question.namespace();
        Optional<Answers.Given> repeated = answers.repeated(question.uid(), namespace, question.podName());
        if (repeated.isPresent()) {
            return repeated.get().verdict();
        }
        Optional<Answers.Given> before =
                answers.reinvoked(question.pod().annotations().stamp(), namespace, question.podName());
        return before.map(given -> again(given, question)).orElseGet(() -> first(question, cluster));
    }

    /** Reinvocation changes nothing; what others have added to the pod is reserved with the rest. */
    private Verdict again(Answers.Given given, PodQuestion question) {
        if (question.effect() == PodQuestion.Effect.REAL) {
            Decider.need(question.pod(), question.policy())
                    .ifPresent(need -> ledger.reassume(decided(given.stamp(), question, need, given.room())));
        }
        return new Verdict.Allowed(
                Verdict.Outcome.UNCHANGED,
                given.room() ? Reason.OFFERED : Reason.EXHAUSTED,
                List.of(),
                List.of(),
                List.of());
    }

    private Verdict first(PodQuestion question, ClusterSnapshot cluster) {
        Decision decision = Decider.decide(question.pod(), question.policy(), cluster, room);
        boolean real = question.effect() == PodQuestion.Effect.REAL;
        return real
                        && decision.verdict() instanceof Verdict.Allowed allowed
                        && decision.claim().isPresent()
                ? reserved(allowed, decision.claim().get(), question)
                : decision.verdict();
    }

    /** What cannot be stamped is not reserved: it is counted when it is seen. */
    private Verdict reserved(Verdict.Allowed verdict, Decision.Claim claim, PodQuestion question) {
        String stamp = UUID.randomUUID().toString();
        Optional<Verdict> stamped = Stamping.stamped(verdict, question.pod(), stamp);
        stamped.ifPresent(answer -> {
            ledger.assume(decided(stamp, question, claim.need(), claim.room()), clock.instant());
            answers.add(new Answers.Given(
                    question.uid(), question.namespace(), question.podName(), stamp, answer, claim.room()));
        });
        return stamped.orElse(verdict);
    }

    private static Decided decided(String stamp, PodQuestion question, Amounts need, boolean room) {
        return new Decided(stamp, question.namespace(), need, question.pod().constraints(), room);
    }
}
