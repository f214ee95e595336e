package dev.sluice.it;

import org.junit.jupiter.api.Tag;

/** The same as {@link RetriesIT} with three replicas behind one address. */
@AgainstControlPlane
@ThreeReplicas
@Tag("campaign")
class SharedRetriesIT extends RetriesIT {}
