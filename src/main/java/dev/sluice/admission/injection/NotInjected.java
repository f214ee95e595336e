package dev.sluice.admission.injection;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;

/** The reason why an admitted pod gets no resources for its GPUs. */
public sealed interface NotInjected {

    /** The word for this reason in records that programs read. */
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

    /** The pod has a GPU type, but there are no rules at all. */
    record NoRules(String type) implements NotInjected {}

    /** The white list names the namespace. */
    record NamespaceSkipped(String namespace) implements NotInjected {}

    /** There are no rules for the GPU type, only for the {@code known} types. */
    record UnknownType(String type, List<String> known) implements NotInjected {
        public UnknownType {
            known = List.copyOf(known);
        }
    }

    /** No main container names a GPU resource for which the type has rules. */
    record OtherResources(String type, List<ResourceName> resources) implements NotInjected {
        public OtherResources {
            resources = List.copyOf(resources);
        }
    }

    /** The pod cannot be evaluated and stays as it was written. */
    record LeftAsWritten() implements NotInjected {}
}
