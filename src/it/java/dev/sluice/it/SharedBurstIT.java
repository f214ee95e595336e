package dev.sluice.it;

/** The same as {@link BurstIT} with three replicas behind one address. */
@AgainstControlPlane
@ThreeReplicas
class SharedBurstIT extends BurstIT {}
