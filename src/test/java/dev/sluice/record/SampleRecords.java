package dev.sluice.record;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.CandidateVerdict;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.VerdictTexts;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import java.time.Instant;
import java.util.List;

/** Records for tests: each begins with a pod {@code team/train} and is changed from there. */
public final class SampleRecords {

    private final RecordedDecisionKind kind;
    private final Reason reason;
    private long epochMillis = 1_000;
    private String uid = "u";
    private String namespace = "team";
    private String podName = "train";
    private PodOwner owner = PodOwner.NONE;
    private boolean dryRun;
    private List<RecordedContainer> containers = List.of();
    private List<PodRequestReplacement> moves = List.of();
    private List<CandidateVerdict> candidates = List.of();
    private List<DecisionCause> causes = List.of();
    private VerdictTexts words = new VerdictTexts(List.of(), "");
    private Injection injection = Injection.NOTHING;
    private String stamp = "";
    private Policy.Enforcement enforcement = Policy.Enforcement.ENFORCE;

    private SampleRecords(RecordedDecisionKind kind, Reason reason) {
        this.kind = kind;
        this.reason = reason;
    }

    public static SampleRecords of(RecordedDecisionKind kind, Reason reason) {
        return new SampleRecords(kind, reason);
    }

    public static SampleRecords unchanged() {
        return of(RecordedDecisionKind.UNCHANGED, Reason.OFFERED);
    }

    public SampleRecords at(long millis) {
        epochMillis = millis;
        return this;
    }

    public SampleRecords uid(String other) {
        uid = other;
        return this;
    }

    public SampleRecords pod(String otherNamespace, String otherName) {
        namespace = otherNamespace;
        podName = otherName;
        return this;
    }

    public SampleRecords owner(String ownerKind, String name) {
        owner = new PodOwner(ownerKind, name);
        return this;
    }

    public SampleRecords dryRun(boolean dry) {
        dryRun = dry;
        return this;
    }

    public SampleRecords containers(RecordedContainer... asking) {
        containers = List.of(asking);
        return this;
    }

    public SampleRecords moves(PodRequestReplacement... given) {
        moves = List.of(given);
        return this;
    }

    public SampleRecords causes(DecisionCause... because) {
        causes = List.of(because);
        return this;
    }

    public SampleRecords candidates(CandidateVerdict... judged) {
        candidates = List.of(judged);
        return this;
    }

    public SampleRecords words(VerdictTexts told) {
        words = told;
        return this;
    }

    public SampleRecords injection(Injection given) {
        injection = given;
        return this;
    }

    public SampleRecords stamp(String given) {
        stamp = given;
        return this;
    }

    public SampleRecords observed() {
        enforcement = Policy.Enforcement.OBSERVE;
        return this;
    }

    public DecisionRecord record() {
        return new DecisionRecord(
                epochMillis,
                new RecordedPod(new RecordedReviewHead(uid, namespace, podName, owner, dryRun), containers, 0),
                kind,
                reason,
                moves,
                candidates,
                causes,
                RecordedUserMessages.of(words),
                RecordedInjection.of(injection),
                new RecordedBasis(Policy.Mode.ALLOCATABLE, enforcement, 7, 3, Instant.MIN),
                stamp,
                1_000);
    }
}
