package dev.sluice.record.events;

import dev.sluice.admission.request.Move;
import dev.sluice.bus.TlsReload;
import dev.sluice.record.DecisionKind;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.UserMessages;
import dev.sluice.text.SafeText;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What an Event says.
 *
 * @param reason a stable word, for decisions that of log and metrics behind what became of the pod
 * @param note one sentence or a few, at most {@link #MOST_BYTES} in UTF-8
 * @param cause Events about one object with the same cause are one series
 */
record Announcement(Severity severity, String action, String reason, String note, String cause) {

    /** The API server takes no more (k8s.io/kubernetes pkg/apis/core/validation/events.go). */
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

    Announcement {
        note = shortened(SafeText.line(note));
    }

    /** What the pod of a decision is told. */
    static Announcement atPod(DecisionRecord decision) {
        return new Announcement(severity(decision), "Admission", reason(decision), told(decision), cause(decision));
    }

    /** What the object is told whose controller, or whose controller's controller, made the pod. */
    static Announcement atOwner(DecisionRecord decision, String kind) {
        String what = switch (decision.kind()) {
            case CHANGED -> "was given another GPU resource";
            case DENIED -> "was denied";
            case UNCHANGED, KEPT, UNTOUCHED -> "was left as written";
        };
        String note = "A pod of this " + kind + " " + what + ": " + told(decision);
        return new Announcement(severity(decision), "Admission", reason(decision), note, cause(decision));
    }

    /** A change bears the reason of the decision alone. */
    private static String reason(DecisionRecord decision) {
        String word = decision.reason().word();
        return switch (decision.kind()) {
            case DENIED -> "Denied" + word;
            case UNCHANGED, KEPT, UNTOUCHED -> word.startsWith(KEPT) ? word : KEPT + word;
            case CHANGED -> word;
        };
    }

    /** What the gateway's own pod is told of certificate files that cannot be used. */
    static Announcement refused(TlsReload reload) {
        String note = "The changed certificate files cannot be used, and the pair before them is served on: "
                + String.join("; ", reload.problems());
        return new Announcement(Severity.WARNING, "Reload", "CertificateRefused", note, note);
    }

    private static Severity severity(DecisionRecord decision) {
        return decision.kind() == DecisionKind.CHANGED ? Severity.NORMAL : Severity.WARNING;
    }

    /** The numbers in the sentences differ from pod to pod, and are no other cause. */
    private static String cause(DecisionRecord decision) {
        return decision.kind().word() + " " + decision.reason().word() + " " + Move.annotation(decision.moves());
    }

    private static String told(DecisionRecord decision) {
        UserMessages told = decision.told();
        return told.message().isEmpty() ? String.join("; ", told.warnings()) : told.message();
    }

    private static String shortened(String note) {
        ByteBuffer kept = ByteBuffer.allocate(MOST_BYTES);
        // What has no room is not encoded, and a character is never encoded in part.
        var _ = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(note), kept, /* endOfInput= */ true);
        return new String(kept.array(), 0, kept.position(), StandardCharsets.UTF_8);
    }
}
