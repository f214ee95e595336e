package dev.sluice.tls.selfmanaged;

import java.time.Instant;
import java.util.Set;

/** The next step of a replica. Each step changes one object, and fails if that object has changed since it was read. */
sealed interface RotationStep {

    /** Store a new authority, whose key signs from now on, and keep the authorities {@code beside}. */
    record IntroduceAuthority(Set<String> beside) implements RotationStep {
        public IntroduceAuthority {
            beside = Set.copyOf(beside);
        }
    }

    /** Store the authority that has signed the certificate that this replica serves, because the Secret has lost it. */
    record RestoreAuthority(String authority) implements RotationStep {}

    /** Change the caBundle so that it contains exactly these authorities. */
    record PublishAuthorities(Set<String> authorities) implements RotationStep {
        public PublishAuthorities {
            authorities = Set.copyOf(authorities);
        }
    }

    /** Store a new certificate that this authority signs. */
    record IssueLeaf(String signer) implements RotationStep {}

    /** Serve the stored certificate. */
    record ServeLeaf(String leaf) implements RotationStep {}

    /** Remove these authorities from the Secret. */
    record RetireAuthorities(Set<String> authorities) implements RotationStep {
        public RetireAuthorities {
            authorities = Set.copyOf(authorities);
        }
    }

    /** Do nothing until this moment, unless something changes. */
    record AwaitChange(Instant until) implements RotationStep {}
}
