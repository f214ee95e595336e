package dev.sluice.injection.rule;

import dev.sluice.quantity.ResourceName;
import java.util.List;

/** Why a pod that is admitted gets nothing beside its GPUs; {@code word} is for machines. */
public sealed interface NotInjected {

    String word();

    /** The pod says no type. */
    record NoType() implements NotInjected {
        @Override
        public String word() {
            return "noType";
        }
    }

    /** The pod says one, and there are no rules at all. */
    record NoRules(String type) implements NotInjected {
        @Override
        public String word() {
            return "noRules";
        }
    }

    /** The white list has its namespace. */
    record NamespaceSkipped(String namespace) implements NotInjected {
        @Override
        public String word() {
            return "namespaceSkipped";
        }
    }

    /** Neither its namespace nor the default map has rules for its type, only for those {@code known}. */
    record UnknownType(String type, List<String> known) implements NotInjected {
        public UnknownType {
            known = List.copyOf(known);
        }

        @Override
        public String word() {
            return "unknownType";
        }
    }

    /** No main container names any of the resources that the rules of its type are for. */
    record OtherResources(String type, List<ResourceName> resources) implements NotInjected {
        public OtherResources {
            resources = List.copyOf(resources);
        }

        @Override
        public String word() {
            return "otherResources";
        }
    }

    /** It cannot be judged, and is left as it is written. */
    record LeftAsWritten() implements NotInjected {
        @Override
        public String word() {
            return "leftAsWritten";
        }
    }
}
