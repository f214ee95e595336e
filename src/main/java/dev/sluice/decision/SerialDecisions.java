package dev.sluice.decision;

import dev.sluice.bus.message.DecideRequest;
import dev.sluice.decide.Decider;
import dev.sluice.decide.Decision;
import dev.sluice.decide.FreeCapacity;
import dev.sluice.decide.Reason;
import dev.sluice.decide.StampPatch;
import dev.sluice.decide.Verdict;
import dev.sluice.ledger.AssumeResult;
import dev.sluice.ledger.Ledger;
import dev.sluice.ledger.nodeindex.AssumeRequest;
import dev.sluice.ledger.podentry.NotReserved;
import dev.sluice.pod.Pod;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.scheduling.NodeConstraints;
import dev.sluice.snapshot.ClusterSnapshot;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides and reserves, so that no two pods are given the same. */
final class SerialDecisions {

    private static final Logger LOG = LoggerFactory.getLogger(SerialDecisions.class);

    private final Ledger ledger;
    private final InstantSource clock;
    private final IssuedDecisions issued;
    private final FreeCapacity free;

    SerialDecisions(Ledger ledger, InstantSource clock) {
        this.ledger = ledger;
        this.clock = clock;
        this.issued = new IssuedDecisions(ledger::isAssumed);
        this.free = new Free();
    }

    /** What nobody has and nobody was promised. */
    private final class Free implements FreeCapacity {
        @Override
        public boolean isFree(Amounts need, NodeConstraints constraints) {
            return ledger.isFree(need, constraints);
        }

        @Override
        public long freeOf(ResourceName device) {
            return ledger.freeOf(device);
        }
    }

    /** With what others would leave to a pod of this namespace, who hold more than their share of it. */
    private final class FreeByPreemption implements FreeCapacity {
        private final String namespace;
        private final Instant now;

        FreeByPreemption(String namespace, Instant now) {
            this.namespace = namespace;
            this.now = now;
        }

        @Override
        public boolean isFree(Amounts need, NodeConstraints constraints) {
            return free.isFree(need, constraints)
                    || ledger.isFreeByPreemption(
                            new AssumeRequest("", namespace, need, constraints, /* room= */ true), now);
        }

        @Override
        public long freeOf(ResourceName device) {
            return free.freeOf(device);
        }
    }

    /** To be called now and then, so that nothing is kept longer than it can be of use. */
    void sweep() {
        issued.sweep();
    }

    Verdict decide(DecideRequest question, ClusterSnapshot cluster) {
        Instant now = clock.instant();
        return question.effect() == DecideRequest.ReviewEffect.REAL
                ? real(question, cluster, now)
                : decision(question, cluster, now).verdict();
    }

    private Verdict real(DecideRequest question, ClusterSnapshot cluster, Instant now) {
        return issued.repeated(question)
                .or(() -> issued.reinvoked(question)
                        .filter(given -> ledger.isInFlight(given.stamp(), given.namespace(), now))
                        .map(given -> again(given, question)))
                .orElseGet(() -> first(question, cluster, now));
    }

    /** Reinvocation changes nothing; what others have made of the pod is reserved as it is now. */
    private Verdict again(IssuedDecisions.IssuedDecision given, DecideRequest question) {
        Decider.need(question.pod(), question.policy())
                .ifPresent(need -> ledger.reassume(assumeRequest(given.stamp(), question, need, given.room())));
        return issued.again(given, question);
    }

    /** Only where nothing at all is free others are asked to give way. */
    private Decision decision(DecideRequest question, ClusterSnapshot cluster, Instant now) {
        Decision decision = Decider.decide(question.pod(), question.policy(), cluster, free);
        if (!isExhausted(decision) || !ledger.othersAreAssumed(question.namespace())) {
            return decision;
        }
        Decision fair = Decider.decide(
                question.pod(), question.policy(), cluster, new FreeByPreemption(question.namespace(), now));
        return hasRoom(fair) ? fair : decision;
    }

    private static boolean isExhausted(Decision decision) {
        return switch (decision.verdict()) {
            case Verdict.Denied denied -> denied.reason() == Reason.EXHAUSTED;
            case Verdict.Allowed allowed -> allowed.reason() == Reason.EXHAUSTED && !hasRoom(decision);
            case Verdict.NoGpu _ -> false;
        };
    }

    private static boolean hasRoom(Decision decision) {
        return decision.claim().filter(Decision.Claim::room).isPresent();
    }

    private Verdict first(DecideRequest question, ClusterSnapshot cluster, Instant now) {
        // The answer to this very call was too large to be kept: it is given anew, and nothing is reserved twice.
        issued.unkept(question).ifPresent(given -> ledger.forget(given.stamp()));
        Decision decision = decision(question, cluster, now);
        return decision.verdict() instanceof Verdict.Allowed allowed
                        && decision.claim().isPresent()
                ? reserved(allowed, decision.claim().get(), question, now)
                : decision.verdict();
    }

    /**
     * Where the pod is to be left as written or has no room for a stamp, its reservation ends when no pod with it can
     * come any more; until then the pod may be counted twice, which is safer than not at all.
     */
    private Verdict reserved(Verdict.Allowed verdict, Decision.Claim claim, DecideRequest question, Instant now) {
        String stamp = UUID.randomUUID().toString();
        AssumeResult assumed = ledger.assume(assumeRequest(stamp, question, claim.need(), claim.room()), now);
        if (assumed.notReserved().isPresent()) {
            return notReserved(verdict, assumed.notReserved().get(), question);
        }
        if (!assumed.preempted().isEmpty()) {
            LOG.atInfo()
                    .addKeyValue("namespace", question.namespace())
                    .addKeyValue("gaveWay", assumed.preempted().size())
                    .log("Decisions of which no pod was seen gave way to a namespace that has less");
        }
        Verdict.Allowed answer = stamped(verdict, question, stamp);
        issued.add(IssuedDecisions.IssuedDecision.of(question, stamp, answer, claim.room()));
        return answer;
    }

    private static Verdict.Allowed stamped(Verdict.Allowed verdict, DecideRequest question, String stamp) {
        return verdict.outcome() == Verdict.Outcome.UNTOUCHED
                ? verdict
                : StampPatch.stamped(verdict, question.pod(), stamp).orElse(verdict);
    }

    /** It was decided by what is free at the moment, and counts when it is seen. */
    private static Verdict notReserved(Verdict.Allowed verdict, NotReserved why, DecideRequest question) {
        Verdict.Allowed warned = verdict.warned(why.reason() + "; nothing is reserved for this pod until it exists");
        // A stamp that it bears already was not given for it.
        return question.pod().annotations().values().containsKey(Pod.STAMP)
                ? stamped(warned, question, UUID.randomUUID().toString())
                : warned;
    }

    private static AssumeRequest assumeRequest(String stamp, DecideRequest question, Amounts need, boolean room) {
        return new AssumeRequest(
                stamp, question.namespace(), need, question.pod().constraints(), room);
    }
}
