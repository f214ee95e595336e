package dev.sluice.doctor.facts;

import java.util.Optional;

/**
 * Describes a Workload of Kueue, which stands for an object that waits in a queue.
 *
 * @param owner the object that waits; empty for a group of pods, which has the same name as the Workload
 * @param queue the LocalQueue; empty if there is none
 * @param asksForDevices true if a pod of the Workload would request devices
 * @param state the state of the Workload, with Kueue's message about it; empty if Kueue has not reported a state, or if
 *     the object has ended
 */
public record QueuedWorkloadFacts(
        String namespace,
        String name,
        String uid,
        Optional<PodFacts.OwnerReference> owner,
        String queue,
        boolean asksForDevices,
        Optional<PodFacts.Message> state) {}
