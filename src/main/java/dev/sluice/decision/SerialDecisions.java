package dev.sluice.decision;

import dev.sluice.admission.Decider;
import dev.sluice.admission.Decision;
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
import java.util.UUID;

/** Decides and reserves, so that no two pods are given the same. */
final class SerialDecisions {

    /**
     * For what a pod asks and where it may run, which is kept for each reservation: more than a thousand nodes can be
     * named in so much. A pod with more is decided, but counts only when it is seen.
     */
    private static final int MOST_BYTES = 64 * 1024;

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

    /** To be called now and then, so that nothing is kept longer than it can be of use. */
    void sweep() {
        answers.sweep();
    }

    Verdict decide(PodQuestion question, ClusterSnapshot cluster) {
        return question.effect() == PodQuestion.Effect.REAL
                ? real(question, cluster)
                : decision(question, cluster).verdict();
    }

    private Verdict real(PodQuestion question, ClusterSnapshot cluster) {
        return answers.repeated(question)
                .or(() -> answers.reinvoked(question).map(given -> again(given, question)))
                .orElseGet(() -> first(question, cluster));
    }

    /** Reinvocation changes nothing; what others have made of the pod is reserved as it is now. */
    private Verdict again(Answers.Given given, PodQuestion question) {
        Decider.need(question.pod(), question.policy())
                .ifPresent(need -> ledger.reassume(decided(given.stamp(), question, need, given.room())));
        return given.again();
    }

    private Decision decision(PodQuestion question, ClusterSnapshot cluster) {
        return Decider.decide(question.pod(), question.policy(), cluster, room);
    }

    private Verdict first(PodQuestion question, ClusterSnapshot cluster) {
        Decision decision = decision(question, cluster);
        return decision.verdict() instanceof Verdict.Allowed allowed
                        && decision.claim()
                                .filter(claim -> canBeKept(question, claim))
                                .isPresent()
                ? reserved(allowed, decision.claim().get(), question)
                : decision.verdict();
    }

    private static boolean canBeKept(PodQuestion question, Decision.Claim claim) {
        return question.pod().constraints().weight() + claim.need().weight() <= MOST_BYTES;
    }

    /**
     * Where the pod is to be left as written or has no room for a stamp, its reservation ends when no pod with it can
     * come any more; until then the pod may be counted twice, which is safer than not at all.
     */
    private Verdict reserved(Verdict.Allowed verdict, Decision.Claim claim, PodQuestion question) {
        String stamp = UUID.randomUUID().toString();
        Verdict.Allowed answer = verdict.outcome() == Verdict.Outcome.UNTOUCHED
                ? verdict
                : Stamping.stamped(verdict, question.pod(), stamp).orElse(verdict);
        ledger.assume(decided(stamp, question, claim.need(), claim.room()), clock.instant());
        answers.add(Answers.Given.of(question, stamp, answer, claim.room()));
        return answer;
    }

    private static Decided decided(String stamp, PodQuestion question, Amounts need, boolean room) {
        return new Decided(stamp, question.namespace(), need, question.pod().constraints(), room);
    }
}
