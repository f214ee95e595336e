package dev.sluice.cli.offline;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.config.ConfigNearestKey;
import dev.sluice.config.ConfigProblem;
import dev.sluice.config.ConfigProblem.SourcePosition;
import dev.sluice.text.ShortText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The keys of one mapping of a case. The methods return an empty result for a key that is missing or invalid. Keys that
 * no method has read are finally reported as unknown.
 */
final class CaseFields {

    private static final int LONGEST_VALUE = 80;

    private final String source;
    private final CaseLines lines;
    private final JsonPointer place;
    private final JsonNode mapping;
    private final CaseProblems problems;
    private final Set<String> known = new LinkedHashSet<>();

    private CaseFields(String source, CaseLines lines, JsonPointer place, JsonNode mapping, CaseProblems problems) {
        this.source = source;
        this.lines = lines;
        this.place = place;
        this.problems = problems;
        this.mapping = mapping.isObject() ? mapping : JsonNodeFactory.instance.objectNode();
        if (!mapping.isObject()) {
            refuseAt(place, "is " + shown(mapping), "expected a map of keys");
        }
    }

    static CaseFields ofDocument(String source, byte[] text, JsonNode document, CaseProblems problems) {
        return new CaseFields(source, CaseLines.of(text), JsonPointer.empty(), document, problems);
    }

    int line() {
        return lines.lineOf(place);
    }

    /** Returns the value of a key. Returns a missing node if the key is missing or its value is null. */
    JsonNode value(String key) {
        known.add(key);
        JsonNode value = mapping.path(key);
        return value.isNull() ? MissingNode.getInstance() : value;
    }

    boolean has(String key) {
        return !value(key).isMissingNode();
    }

    Optional<String> text(String key) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return Optional.empty();
        }
        if (value.isTextual()) {
            return Optional.of(value.textValue());
        }
        refuse(key, "is " + shown(value), "expected text");
        return Optional.empty();
    }

    /** Returns the text of a key if it is one of these words. */
    Optional<String> word(String key, Collection<String> words) {
        return word(key, words, Map.of());
    }

    /**
     * Returns the text of a key if it is one of these words.
     *
     * @param elsewhere invalid words that other output of Sluice uses, each with the valid word that the report
     *     suggests
     */
    Optional<String> word(String key, Collection<String> words, Map<String, String> elsewhere) {
        Optional<String> written = text(key);
        if (written.isPresent() && !words.contains(written.get())) {
            refuse(
                    key,
                    "is \"" + ShortText.of(written.get(), LONGEST_VALUE) + '"',
                    Optional.ofNullable(elsewhere.get(written.get()))
                            .or(() -> ConfigNearestKey.to(written.get(), words))
                            .map(near -> "did you mean " + near + "?")
                            .orElse("expected one of " + String.join(", ", words)));
            return Optional.empty();
        }
        return written;
    }

    /** Returns the texts of a list; empty if the key is missing. */
    Optional<List<String>> texts(String key) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return Optional.empty();
        }
        List<String> texts = new ArrayList<>();
        value.forEach(item -> texts.add(item.isTextual() ? item.textValue() : ""));
        if (value.isArray() && texts.stream().noneMatch(String::isEmpty)) {
            return Optional.of(texts);
        }
        refuse(
                key,
                value.isArray() ? "has an item that is empty or no text" : "is " + shown(value),
                "expected a list of texts, or [] for none");
        return Optional.empty();
    }

    /** Returns the mapping of a key; empty if the key is missing. */
    Optional<CaseFields> section(String key) {
        JsonNode value = value(key);
        return value.isMissingNode()
                ? Optional.empty()
                : Optional.of(new CaseFields(source, lines, place.appendProperty(key), value, problems));
    }

    /** Returns the mappings of a list. */
    List<CaseFields> sections(String key) {
        JsonNode value = value(key);
        if (!value.isArray()) {
            refuse(key, value.isMissingNode() ? "is missing" : "is " + shown(value), "expected a list of maps");
        }
        List<CaseFields> sections = new ArrayList<>();
        JsonPointer list = place.appendProperty(key);
        if (value.isArray()) {
            value.forEach(item ->
                    sections.add(new CaseFields(source, lines, list.appendIndex(sections.size()), item, problems)));
        }
        return sections;
    }

    /** Returns all keys. It is for mappings whose keys the user chooses, such as the names of containers. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        mapping.fieldNames().forEachRemaining(names::add);
        return names;
    }

    void refuse(String key, String fault, String fix) {
        refuseAt(place.appendProperty(key), fault, fix);
    }

    /** Reports a problem with the mapping as a whole. */
    void refuseWhole(String fault, String fix) {
        refuseAt(place, fault, fix);
    }

    private void refuseAt(JsonPointer at, String fault, String fix) {
        String key = shown(at);
        problems.add(new ConfigProblem(
                new SourcePosition(source, lines.lineOf(at)), key.isEmpty() ? "the file" : key, fault, fix));
    }

    /** Reports all keys that no method has read as unknown. It must be called last. */
    void refuseUnknown() {
        for (String name : names()) {
            if (!known.contains(name)) {
                refuse(
                        name,
                        "is not a known key",
                        ConfigNearestKey.to(name, known)
                                .map(near -> "did you mean " + near + "?")
                                .orElse("known here: " + String.join(", ", known)));
            }
        }
    }

    private static String shown(JsonNode value) {
        return value.isObject()
                ? "a map"
                : value.isArray()
                        ? "a list"
                        : value.isMissingNode() || value.isNull()
                                ? "empty"
                                : ShortText.of(value.toString(), LONGEST_VALUE);
    }

    /** Returns the path of a key, such as {@code cases[0].expect.decision}. */
    private static String shown(JsonPointer place) {
        StringBuilder text = new StringBuilder();
        for (JsonPointer at = place; !at.matches(); at = at.tail()) {
            if (at.mayMatchElement() && !text.isEmpty()) {
                text.append('[').append(at.getMatchingIndex()).append(']');
            } else {
                text.append(text.isEmpty() ? "" : ".").append(at.getMatchingProperty());
            }
        }
        return ShortText.of(text.toString(), 2 * LONGEST_VALUE);
    }
}
