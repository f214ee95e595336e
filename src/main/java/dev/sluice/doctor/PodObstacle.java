package dev.sluice.doctor;

/** Describes one thing that keeps a pod from being scheduled to a node. */
sealed interface PodObstacle {

    DiagnosisCode code();

    /** Describes a fault of the node. After the repair, the node offers the devices that the pod requests. */
    record NodeFault(FindingCode fault) implements PodObstacle {
        @Override
        public DiagnosisCode code() {
            return DiagnosisCode.of(fault);
        }
    }

    /**
     * Describes a constraint that the node violates because of a fault. The node will meet the constraint as soon as
     * the fault is repaired.
     *
     * @param code the code of the fault
     * @param fact a clause about the constraint, as in {@link Mismatch}
     */
    record EndsWithFault(DiagnosisCode code, String fact) implements PodObstacle {}

    /** Describes devices that other pods use. */
    record DevicesInUse(DiagnosisCode code) implements PodObstacle {}

    /**
     * Describes a constraint that the node does not meet.
     *
     * @param fact a clause that continues the text "node n1: …"
     */
    record Mismatch(DiagnosedMismatchReason reason, String fact) implements PodObstacle {
        @Override
        public DiagnosisCode code() {
            return DiagnosisCode.CONSTRAINT_MISMATCH;
        }
    }
}
