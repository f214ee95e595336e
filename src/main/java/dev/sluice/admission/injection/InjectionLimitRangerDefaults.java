package dev.sluice.admission.injection;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashSet;
import java.util.Set;

/**
 * The default values that the admission plugin LimitRanger filled in. LimitRanger lists them in an annotation
 * (plugin/pkg/admission/limitranger/admission.go): {@code LimitRanger plugin set: cpu, memory request for container a;
 * cpu limit for init container b}. If several LimitRanges of a namespace fill in values, the annotation lists only the
 * values of the last LimitRange.
 */
public final class InjectionLimitRangerDefaults {

    public static final String ANNOTATION = "kubernetes.io/limit-ranger";

    static final InjectionLimitRangerDefaults NONE = new InjectionLimitRangerDefaults(Set.of());

    private static final String START = "LimitRanger plugin set: ";
    private static final String OF_MAIN = " for container ";

    /** Tells whether a default value is a request or a limit. */
    enum LimitKind {
        REQUEST,
        LIMIT
    }

    private record Filled(String container, LimitKind bound, ResourceName name) {}

    private final Set<Filled> filled;

    private InjectionLimitRangerDefaults(Set<Filled> filled) {
        this.filled = filled;
    }

    /** Parses the annotation. The default values of init containers are ignored, and so is text in another form. */
    static InjectionLimitRangerDefaults parse(String annotation) {
        if (!annotation.startsWith(START)) {
            return NONE;
        }
        Set<Filled> filled = new HashSet<>();
        for (String part : annotation.substring(START.length()).split("; ", -1)) {
            int middle = part.indexOf(OF_MAIN);
            if (middle > 0) {
                collect(part.substring(0, middle), part.substring(middle + OF_MAIN.length()), filled);
            }
        }
        return new InjectionLimitRangerDefaults(filled);
    }

    private static void collect(String what, String container, Set<Filled> filled) {
        int last = what.lastIndexOf(' ');
        LimitKind bound =
                what.endsWith(" request") ? LimitKind.REQUEST : what.endsWith(" limit") ? LimitKind.LIMIT : null;
        if (bound == null) {
            return;
        }
        for (String name : what.substring(0, last).split(", ", -1)) {
            filled.add(new Filled(container, bound, new ResourceName(name)));
        }
    }

    boolean filled(String container, LimitKind bound, ResourceName name) {
        return filled.contains(new Filled(container, bound, name));
    }
}
