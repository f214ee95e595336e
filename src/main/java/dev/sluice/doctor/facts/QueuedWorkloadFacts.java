package dev.sluice.doctor.facts;

import java.util.Optional;

/**
 * Describes a Workload of Kueue, which stands for an object that waits in a queue.
 *
 * @param owner the object that waits; empty for a group of pods, whose name the Workload has
 * @param queue the LocalQueue; empty if there is none
 * @param asksForDevices true if a pod of it would ask for devices
 * @param state what its status says last; empty if Kueue has said nothing, or the object has ended
 */
public record QueuedWorkloadFacts(
        String namespace,
        String name,
        String uid,
        Optional<PodFacts.OwnerReference> owner,
        String queue,
        boolean asksForDevices,
        Optional<PodFacts.Message> state) {}
