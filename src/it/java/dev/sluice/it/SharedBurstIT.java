package dev.sluice.it;

import org.junit.jupiter.api.Order;

/** The same as {@link BurstIT} with three replicas behind one address. */
@AgainstControlPlane
@ThreeReplicas
@Order(6)
class SharedBurstIT extends BurstIT {}
