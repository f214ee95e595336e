package dev.sluice.admission.injection;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;

/** The reason why an admitted pod gets no resources in addition to its GPUs. */
public sealed interface NotInjected {

    /** Returns the word by which machine-readable records name this reason. */
    default String word() {
        return switch (this) {
            case NoType _ -> "noType";
            case NoRules _ -> "noRules";
            case NamespaceSkipped _ -> "namespaceSkipped";
            case UnknownType _ -> "unknownType";
            case OtherResources _ -> "otherResources";
            case LeftAsWritten _ -> "leftAsWritten";
        };
    }

    /** The pod has no GPU type in its annotations. */
    record NoType() implements NotInjected {}

    /** The pod has a GPU type, but the injection file has no rules at all. */
    record NoRules(String type) implements NotInjected {}

    /** Nothing is injected in this namespace, because {@code namespaceWhiteList} in the injection file contains it. */
    record NamespaceSkipped(String namespace) implements NotInjected {}

    /** There are rules for the GPU types in {@code known}, but not for the type of the pod. */
    record UnknownType(String type, List<String> known) implements NotInjected {
        public UnknownType {
            known = List.copyOf(known);
        }
    }

    /** There are rules for the GPU type, but for none of the GPU resources in the main containers. */
    record OtherResources(String type, List<ResourceName> resources) implements NotInjected {
        public OtherResources {
            resources = List.copyOf(resources);
        }
    }

    /** The pod could not be evaluated, so it stays as it was written. */
    record LeftAsWritten() implements NotInjected {}
}
