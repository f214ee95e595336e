package dev.sluice.it;

import org.junit.jupiter.api.Tag;

/** The same as {@link HoardingIT} with three replicas behind one address. */
@AgainstControlPlane
@ThreeReplicas
@Tag("campaign")
class SharedHoardingIT extends HoardingIT {}
