package dev.sluice.tls.selfmanaged;

import java.time.Instant;
import java.util.Set;

/** The next step of a replica. Each step changes one object, and fails if that object has changed since it was read. */
sealed interface RotationStep {

    /**
     * The replica stores a new authority, which signs all further certificates, and keeps the authorities
     * {@code beside}.
     */
    record IntroduceAuthority(Set<String> beside) implements RotationStep {
        public IntroduceAuthority {
            beside = Set.copyOf(beside);
        }
    }

    /** The replica stores the authority of its served certificate again, because the Secret has lost it. */
    record RestoreAuthority(String authority) implements RotationStep {}

    /** The replica changes the caBundle so that it contains exactly these authorities. */
    record PublishAuthorities(Set<String> authorities) implements RotationStep {
        public PublishAuthorities {
            authorities = Set.copyOf(authorities);
        }
    }

    /** The replica stores a new server certificate that the authority {@code signer} signs. */
    record IssueLeaf(String signer) implements RotationStep {}

    /** The replica serves the stored certificate. */
    record ServeLeaf(String leaf) implements RotationStep {}

    /** The replica removes these authorities from the Secret. */
    record RetireAuthorities(Set<String> authorities) implements RotationStep {
        public RetireAuthorities {
            authorities = Set.copyOf(authorities);
        }
    }

    /** The replica waits until this time, or until the Secret or the caBundle changes. */
    record AwaitChange(Instant until) implements RotationStep {}
}
