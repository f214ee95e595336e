package dev.sluice.cli.console;

import dev.sluice.doctor.facts.NamespaceSelection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The namespaces about whose pods the API server asks Sluice, as far as it can be read.
 *
 * @param registrations one for each registered webhook of Sluice; empty if it is not known whether there is one
 * @param labels the labels of the namespaces that could be read
 */
public record RegisteredNamespaces(List<NamespaceSelection> registrations, Map<String, Map<String, String>> labels) {

    public static final RegisteredNamespaces UNKNOWN = new RegisteredNamespaces(List.of(), Map.of());

    public RegisteredNamespaces {
        registrations = List.copyOf(registrations);
        labels = Map.copyOf(labels);
    }

    /**
     * Returns why the API server does not ask about pods of this namespace, as a sentence. Returns empty if it asks, or
     * if that is not known.
     */
    public Optional<String> notAsked(String namespace) {
        List<Optional<String>> reasons = registrations.stream()
                .map(registered -> exclusion(registered, namespace))
                .toList();
        return reasons.isEmpty() || reasons.stream().anyMatch(Optional::isEmpty)
                ? Optional.empty()
                : reasons.getFirst()
                        .map(why -> "The API server does not ask Sluice about pods of namespace " + namespace + ": "
                                + why + ". They are created as they are written.");
    }

    private Optional<String> exclusion(NamespaceSelection registered, String namespace) {
        Map<String, String> known = labels.get(namespace);
        return known == null ? registered.exclusionByName(namespace) : registered.exclusion(namespace, known);
    }
}
