package dev.sluice.record.events;

import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.bus.TlsReloadMessage;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.RecordedUserMessages;
import dev.sluice.text.SafeText;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The content of an Event.
 *
 * @param reason one word that never changes. For a decision, it is the reason in the log and the metrics, with a prefix
 *     for the result
 * @param note the text of at most {@link #MOST_BYTES} bytes in UTF-8
 * @param cause the key of the series; Events about one object with the same cause form one series
 */
record KubernetesEventContent(Severity severity, String action, String reason, String note, String cause) {

    /**
     * The maximum number of bytes of a note that the API server accepts (k8s.io/kubernetes
     * pkg/apis/core/validation/events.go).
     */
    private static final int MOST_BYTES = 1_024;

    private static final String KEPT = "Kept";

    enum Severity {
        NORMAL("Normal"),
        WARNING("Warning");

        private final String word;

        Severity(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    KubernetesEventContent {
        note = shortened(SafeText.line(note));
    }

    /** Returns the Event about the pod of a decision. */
    static KubernetesEventContent atPod(DecisionRecord decision) {
        return new KubernetesEventContent(
                severity(decision), "Admission", reason(decision), sentences(decision), cause(decision));
    }

    /** Returns the Event about the controller of the pod, or about the controller of that controller. */
    static KubernetesEventContent atOwner(DecisionRecord decision, String kind) {
        String what = switch (decision.kind()) {
            case CHANGED -> decision.moves().isEmpty() ? "was given a missing limit" : "was given another GPU resource";
            case DENIED -> "was denied";
            case UNCHANGED, KEPT, UNTOUCHED -> "was left as written";
        };
        String note = "A pod of this " + kind + " " + what + ": " + sentences(decision);
        return new KubernetesEventContent(severity(decision), "Admission", reason(decision), note, cause(decision));
    }

    /**
     * Returns the reason of the decision. The prefix {@code Denied} means that the pod was denied, and {@code Kept}
     * that it was not changed. If the pod is changed, there is no prefix.
     */
    private static String reason(DecisionRecord decision) {
        String word = decision.reason().word();
        return switch (decision.kind()) {
            case DENIED -> "Denied" + word;
            case UNCHANGED, KEPT, UNTOUCHED -> word.startsWith(KEPT) ? word : KEPT + word;
            case CHANGED -> word;
        };
    }

    /**
     * Returns the Event that reports certificate files that cannot be used. The Event is about the gateway's own pod.
     */
    static KubernetesEventContent refused(TlsReloadMessage reload) {
        String note = "The changed certificate files cannot be used; serving the former pair: "
                + String.join("; ", reload.problems());
        return new KubernetesEventContent(Severity.WARNING, "Reload", "CertificateRefused", note, note);
    }

    private static Severity severity(DecisionRecord decision) {
        return decision.kind() == RecordedDecisionKind.CHANGED ? Severity.NORMAL : Severity.WARNING;
    }

    /**
     * Returns the key of the series. The key does not contain the sentences, because the numbers in them differ from
     * pod to pod.
     */
    private static String cause(DecisionRecord decision) {
        return decision.kind().word() + " " + decision.reason().word() + " "
                + PodRequestReplacement.annotation(decision.moves());
    }

    private static String sentences(DecisionRecord decision) {
        RecordedUserMessages messages = decision.messages();
        return messages.message().isEmpty() ? String.join("; ", messages.warnings()) : messages.message();
    }

    private static String shortened(String note) {
        ByteBuffer kept = ByteBuffer.allocate(MOST_BYTES);
        // The encoder stops before the first character that no longer fits into the buffer. Its result is not needed.
        var _ = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(note), kept, /* endOfInput= */ true);
        return new String(kept.array(), 0, kept.position(), StandardCharsets.UTF_8);
    }
}
