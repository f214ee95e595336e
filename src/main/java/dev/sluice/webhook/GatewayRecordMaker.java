package dev.sluice.webhook;

import dev.sluice.admission.patch.AnnotationPatch;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.VerdictTexts;
import dev.sluice.cluster.Pod;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.kube.decode.AdmissionReview.PodObject;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordedBasis;
import dev.sluice.record.RecordedCauses;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.RecordedInjection;
import dev.sluice.record.RecordedPod;
import dev.sluice.record.RecordedReviewHead;
import dev.sluice.record.RecordedUserMessages;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecord.PodWithoutGpu;
import java.util.List;

/** Creates the record of a review. To be fast, it only copies references and formats no text. */
record GatewayRecordMaker(AdmissionReview review, GatewayDecisionInputs moment, Policy policy) {

    ReviewRecord of(Verdict verdict, VerdictTexts words, long nanos) {
        return switch (verdict) {
            case Verdict.NoGpu _ -> new PodWithoutGpu(nanos);
            case Verdict.Allowed allowed -> allowed(allowed, words, nanos);
            case Verdict.Denied denied -> denied(denied, words, nanos);
        };
    }

    private DecisionRecord allowed(Verdict.Allowed allowed, VerdictTexts words, long nanos) {
        return new DecisionRecord(
                System.currentTimeMillis(),
                pod(),
                RecordedDecisionKind.of(allowed.outcome()),
                allowed.reason(),
                allowed.moves(),
                RecordedCauses.candidates(allowed.candidates()),
                RecordedCauses.of(allowed.causes()),
                RecordedUserMessages.of(words),
                RecordedInjection.of(allowed.injection()),
                basis(),
                moment.policy().policies().reserve() ? AnnotationPatch.written(allowed.patch(), Pod.STAMP) : "",
                nanos);
    }

    private DecisionRecord denied(Verdict.Denied denied, VerdictTexts words, long nanos) {
        return new DecisionRecord(
                System.currentTimeMillis(),
                pod(),
                RecordedDecisionKind.DENIED,
                denied.reason(),
                List.of(),
                RecordedCauses.candidates(denied.candidates()),
                RecordedCauses.of(denied.cause(), denied.causes()),
                RecordedUserMessages.of(words),
                RecordedInjection.of(denied.injection()),
                basis(),
                "",
                nanos);
    }

    private RecordedPod pod() {
        boolean dryRun = review.dryRun() == AdmissionReview.DryRun.YES;
        RecordedReviewHead head =
                new RecordedReviewHead(review.uid(), review.namespace(), review.podName(), review.owner(), dryRun);
        return review.object() instanceof PodObject.ReadPod(PodRequest pod)
                ? RecordedPod.asking(head, pod, moment.cluster().claimed().orGpusOf(policy.chains()::isGpu))
                : RecordedPod.unread(head);
    }

    private RecordedBasis basis() {
        return new RecordedBasis(
                policy.mode(),
                policy.enforcement(),
                moment.policy().generation(),
                moment.cluster().generation(),
                moment.freshness().nodes());
    }
}
