package dev.sluice.diagnosis.cause;

import dev.sluice.diagnosis.path.VerdictCode;
import java.util.List;

/** One thing that keeps a pod from running, in sentences and as data. */
public record Cause(VerdictCode code, String text, List<Evidence> evidence) {

    /** What was seen on an object; {@code name} is {@code namespace/name} where it has a namespace. */
    public record Evidence(String kind, String name, String fact) {}

    public Cause(VerdictCode code, String text, Evidence... evidence) {
        this(code, text, List.of(evidence));
    }
}
