package dev.sluice.it;

import org.junit.jupiter.api.Tag;

/** The same as {@link AvailabilityIT} with three replicas behind one address. */
@AgainstControlPlane
@ThreeReplicas
@Tag("campaign")
class SharedAvailabilityIT extends AvailabilityIT {}
