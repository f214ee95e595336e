package dev.sluice.tls.selfmanaged;

import java.time.Instant;
import java.util.Set;

/** What a replica does next. Each step changes one object, and fails if that has changed since it was read. */
sealed interface RotationStep {

    /** Store a new authority, whose key signs from now on, beside these. */
    record IntroduceAuthority(Set<String> beside) implements RotationStep {
        public IntroduceAuthority {
            beside = Set.copyOf(beside);
        }
    }

    /** Store the authority that has signed what this replica serves: the Secret has lost it. */
    record RestoreAuthority(String authority) implements RotationStep {}

    /** Let the caBundle hold exactly these. */
    record PublishAuthorities(Set<String> authorities) implements RotationStep {
        public PublishAuthorities {
            authorities = Set.copyOf(authorities);
        }
    }

    /** Store a new certificate, which this authority signs. */
    record IssueLeaf(String signer) implements RotationStep {}

    /** Serve the certificate that is stored. */
    record ServeLeaf(String leaf) implements RotationStep {}

    /** Store these authorities no longer. */
    record RetireAuthorities(Set<String> authorities) implements RotationStep {
        public RetireAuthorities {
            authorities = Set.copyOf(authorities);
        }
    }

    /** Do nothing until then, unless something changes. */
    record AwaitChange(Instant until) implements RotationStep {}
}
