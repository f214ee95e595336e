package dev.sluice.cli.offline;

import dev.sluice.admission.request.PodRequest;
import dev.sluice.cluster.Pod;
import dev.sluice.kube.decode.AdmissionReview;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pod that was created, or whose creation was refused.
 *
 * @param name {@code namespace/name}. If the input does not contain the generated name, the name is
 *     {@code generateName} and a {@code *}. In an audit log, {@link #BEFORE_ID} and the auditID follow, so that the
 *     name is unique
 * @param owner the workload that created the pod, such as {@code Job train}; empty if there is none
 * @param review a review with the pod as its author wrote it
 * @param got the pod as the API server stored it; null if the input does not contain it
 * @param decision the decision that a gateway made at that time; empty if it is unknown or if none was made
 * @param fate the result of the creation
 * @param elsewhere the pod, with its node; empty if the node is not known
 * @param source the kind of input from which the pod was read
 */
record ReplayedCreation(
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
        implements ReplayedEvent {

    /** The text between {@code generateName} and the auditID. No name of a pod contains it. */
    static final String BEFORE_ID = " ";

    /** The results of the creation of a pod. */
    enum Fate {
        /** The pod was stored. */
        CREATED,
        /** Sluice has refused the pod. */
        DENIED,
        /** The API server or another webhook has refused the pod. */
        REFUSED_BY_OTHERS
    }

    enum InputKind {
        POD,
        AUDIT_EVENT,
        /** A recorded decision. It does not show which nodes the pod may use, or how long the pod existed. */
        RECORD
    }
}
