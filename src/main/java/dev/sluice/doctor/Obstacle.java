package dev.sluice.doctor;

/** One thing that has to go before a pod fits a node. */
sealed interface Obstacle {

    VerdictCode code();

    /** A fault whose repair brings what the pod asks for. */
    record NodeFault(FindingCode fault) implements Obstacle {
        @Override
        public VerdictCode code() {
            return VerdictCode.of(fault);
        }
    }

    /** Devices that pods hold. */
    record DevicesInUse(VerdictCode code) implements Obstacle {}

    /** A constraint that fails; {@code fact} completes "node n1: …". */
    record Mismatch(MismatchReason reason, String fact) implements Obstacle {
        @Override
        public VerdictCode code() {
            return VerdictCode.CONSTRAINT_MISMATCH;
        }
    }
}
