package dev.sluice.decide;

import dev.sluice.quantity.Amounts;
import dev.sluice.request.PodRequest;
import java.util.Optional;

/**
 * A verdict, and what it takes of the cluster once the pod is created.
 *
 * @param claim empty where nothing is to be reserved: no GPU, refused, gated, or a pod that the API server will refuse
 */
public record Decision(Verdict verdict, Optional<Claim> claim) {

    /**
     * What the pod will take of its node.
     *
     * @param room whether there is some now
     */
    public record Claim(Amounts need, boolean room) {

        static Claim of(Amounts need, PodRequest pod, FreeCapacity room) {
            return new Claim(need, room.isFree(need, pod.constraints()));
        }
    }

    static Decision without(Verdict verdict) {
        return new Decision(verdict, Optional.empty());
    }
}
