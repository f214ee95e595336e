package dev.sluice.cli.replay;

import dev.sluice.admission.request.PodRequest;
import dev.sluice.cluster.Pod;
import dev.sluice.webhook.review.AdmissionReview;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pod that was created, or whose creation was refused.
 *
 * @param name {@code namespace/name}. If the input does not tell a generated name, the name is its beginning with a
 *     {@code *}. In an audit log {@link #BEFORE_ID} and the auditID come after it, so that no other pod has the name
 * @param owner the workload that created the pod, such as {@code Job train}; empty if there is none
 * @param review the review with the original request of the pod
 * @param got the pod as it was stored; null if the input does not tell
 * @param decision the word of the decision that was made; empty if the input does not tell, or if none was made
 * @param fate what became of the pod
 * @param elsewhere the pod on the node on which it ran, for a pod that asks for no GPU; empty if it is not known
 * @param source what the pod was read from
 */
record PastCreation(
        Instant at,
        String name,
        String owner,
        AdmissionReview review,
        @Nullable PodRequest got,
        String decision,
        String reason,
        Fate fate,
        Optional<Pod> elsewhere,
        InputKind source)
        implements Happening {

    /** Stands between the beginning of a generated name and the auditID. No name contains it. */
    static final String BEFORE_ID = " ";

    /** What became of a pod. */
    enum Fate {
        /** The pod was stored. */
        CREATED,
        /** Sluice has refused the pod. */
        DENIED,
        /** The API server or another webhook has refused the pod. */
        REFUSED_BY_OTHERS
    }

    /** The kinds of input. */
    enum InputKind {
        POD,
        AUDIT_EVENT,
        /** A recorded decision. It does not tell which nodes the pod may use, and how long the pod existed. */
        RECORD
    }
}
