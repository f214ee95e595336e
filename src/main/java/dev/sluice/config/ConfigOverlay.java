package dev.sluice.config;

import dev.sluice.config.YamlNode.Entry;
import dev.sluice.config.YamlNode.Items;
import dev.sluice.config.YamlNode.Mapping;
import dev.sluice.config.YamlNode.Null;
import dev.sluice.config.YamlNode.Reported;
import dev.sluice.config.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Merges the documents of several files into one. Maps are merged key by key. Lists and single values are not merged.
 * No file has priority over another, so two files must not give different values to the same key.
 */
record ConfigOverlay(ProblemCollector problems) {

    /** Merges the documents. If a problem with a document was already reported, returns that document unchanged. */
    YamlNode merged(List<YamlNode> documents) {
        Optional<YamlNode> reported =
                documents.stream().filter(Reported.class::isInstance).findFirst();
        return reported.orElseGet(() -> new Mapping(problems.document(), byKey(entries(documents), KeyPath.ROOT)));
    }

    private static Stream<Entry> entries(List<YamlNode> nodes) {
        return nodes.stream()
                .flatMap(node -> node instanceof Mapping mapping ? mapping.entries().stream() : Stream.empty());
    }

    private List<Entry> byKey(Stream<Entry> entries, KeyPath path) {
        Map<String, List<Entry>> grouped = new LinkedHashMap<>();
        entries.forEach(entry ->
                grouped.computeIfAbsent(entry.key(), _ -> new ArrayList<>()).add(entry));
        return grouped.values().stream()
                .map(same -> same.size() == 1
                        ? same.getFirst()
                        : one(same, path.key(same.getFirst().key())))
                .toList();
    }

    /** Merges the entries of one key that come from different files. */
    private Entry one(List<Entry> same, KeyPath path) {
        Entry first = same.getFirst();
        List<YamlNode> values = same.stream().map(Entry::value).toList();
        Optional<Entry> reported =
                same.stream().filter(entry -> entry.value() instanceof Reported).findFirst();
        if (reported.isPresent()) {
            return reported.get();
        }
        // A section whose lines are all comments has the value null. It is merged like an empty map.
        if (values.stream().allMatch(value -> value instanceof Mapping || value instanceof Null)
                && values.stream().anyMatch(Mapping.class::isInstance)) {
            return new Entry(
                    first.position(), first.key(), new Mapping(first.position(), byKey(entries(values), path)));
        }
        Object content = content(first.value());
        same.stream()
                .filter(other -> !content(other.value()).equals(content))
                .forEach(other -> conflict(first, other, path));
        return first;
    }

    private void conflict(Entry first, Entry other, KeyPath path) {
        boolean lists = first.value() instanceof Items && other.value() instanceof Items;
        problems.problem(
                other.position(),
                path,
                lists
                        ? "is another list than in " + first.position()
                        : "is " + other.value().shown() + " here and "
                                + first.value().shown() + " in " + first.position(),
                lists ? "write the whole list into one of the two files" : "keep one of the two");
    }

    /** Returns the value without its position, for a comparison. */
    private static Object content(YamlNode node) {
        return switch (node) {
            case Scalar scalar -> List.of(scalar.kind(), scalar.text());
            case Items items ->
                items.nodes().stream().map(ConfigOverlay::content).toList();
            case Mapping mapping ->
                mapping.entries().stream().collect(Collectors.toMap(Entry::key, entry -> content(entry.value())));
            case Null _, Reported _ -> Optional.empty();
        };
    }
}
