package dev.sluice.cli.explain;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.json.JsonOrYamlText;
import java.io.ByteArrayInputStream;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.DuplicateKeyException;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.UnicodeReader;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/** Reads the JSON or YAML documents of a file as trees. Like kubectl, it resolves anchors and merge keys. */
public final class ManifestDocuments {

    /** States what to do if a key occurs twice in a JSON object: refuse the text, or use the last value. */
    enum Duplicates {
        REFUSED,
        LAST_WINS
    }

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** The maximum nesting depth of YAML. A manifest that people write has about 15 levels. */
    private static final int DEEPEST = 100;

    private static final String ONE_OF_TWO = "remove one of the two";

    private ManifestDocuments() {}

    /** Returns the documents of a text in JSON or YAML, without empty ones. A key that occurs twice is an error. */
    public static List<JsonNode> of(String source, byte[] bytes) throws UserProblem {
        return isJson(bytes) ? jsonOrFlow(source, bytes, Duplicates.REFUSED) : yaml(source, bytes);
    }

    /** Reads a text that begins as JSON. It may be YAML in flow style. */
    static List<JsonNode> jsonOrFlow(String source, byte[] bytes, Duplicates duplicates) throws UserProblem {
        try {
            return json(source, bytes, duplicates);
        } catch (UserProblem noJson) {
            return flowStyle(source, bytes, noJson);
        }
    }

    /**
     * Reads a text that begins like JSON but is not JSON, as YAML in flow style. If the text is not YAML either,
     * reports the problem of the JSON parser.
     */
    static List<JsonNode> flowStyle(String source, byte[] bytes, UserProblem noJson) throws UserProblem {
        try {
            return yaml(source, bytes);
        } catch (UserProblem _) {
            throw noJson;
        }
    }

    static boolean isJson(byte[] bytes) {
        int at = 0;
        while (at < bytes.length && bytes[at] <= ' ' && bytes[at] >= 0) {
            at++;
        }
        return at < bytes.length && (bytes[at] == '{' || bytes[at] == '[');
    }

    static List<JsonNode> json(String source, byte[] bytes, Duplicates duplicates) throws UserProblem {
        ObjectMapper mapper = duplicates == Duplicates.REFUSED ? STRICT : JSON;
        try (MappingIterator<JsonNode> documents =
                mapper.readerFor(JsonNode.class).readValues(bytes)) {
            List<JsonNode> all = new ArrayList<>();
            JsonOrYamlText.read(documents.getParser(), () -> documents.readAll(all));
            return all;
        } catch (JacksonException broken) {
            throw new UserProblem(source + JsonOrYamlText.brokenAt(broken, jsonFix(broken)), broken);
        } catch (CharConversionException broken) {
            // If there are zeros between the first bytes, Jackson assumes that the file is in UTF-16 or UTF-32.
            throw new UserProblem(
                    source + ": " + firstLine(String.valueOf(broken.getMessage())) + "; save it as UTF-8", broken);
        } catch (IOException impossible) {
            throw new IllegalStateException("reading from memory failed", impossible);
        }
    }

    static List<JsonNode> yaml(String source, byte[] bytes) throws UserProblem {
        List<JsonNode> documents = new ArrayList<>();
        try {
            for (Object document : parser().loadAll(new UnicodeReader(new ByteArrayInputStream(bytes)))) {
                JsonNode tree = JSON.valueToTree(document);
                if (!tree.isNull()) {
                    documents.add(tree);
                }
            }
        } catch (MarkedYAMLException broken) {
            String where = broken.getProblemMark() == null
                    ? ""
                    : ", line " + (broken.getProblemMark().getLine() + 1) + ", column "
                            + (broken.getProblemMark().getColumn() + 1);
            throw new UserProblem(
                    source + where + ": " + firstLine(broken.getProblem()) + "; " + yamlFix(broken), broken);
        } catch (ReaderException broken) {
            throw new UserProblem(
                    source + ", line " + JsonOrYamlText.lineOfControlCharacter(bytes) + ": "
                            + firstLine(String.valueOf(broken.getMessage())) + "; save it as text in UTF-8",
                    broken);
        } catch (YAMLException | IllegalArgumentException broken) {
            if (broken.getCause() instanceof CharacterCodingException) {
                throw new UserProblem(source + ": the text is not UTF-8; save it as UTF-8", broken);
            }
            throw new UserProblem(
                    source + tooDeep(bytes).orElseGet(() -> ": " + firstLine(String.valueOf(broken.getMessage()))),
                    broken);
        }
        return documents;
    }

    /**
     * Returns a clause that states the position where the text is nested too deeply. The exception of the parser does
     * not contain the position.
     */
    private static Optional<String> tooDeep(byte[] bytes) {
        int depth = 0;
        try {
            for (Event event : parser().parse(new UnicodeReader(new ByteArrayInputStream(bytes)))) {
                depth += event instanceof CollectionStartEvent ? 1 : event instanceof CollectionEndEvent ? -1 : 0;
                if (depth > DEEPEST) {
                    return Optional.of(", line " + (event.getStartMark().getLine() + 1) + ", column "
                            + (event.getStartMark().getColumn() + 1) + ": the text is nested more than " + DEEPEST
                            + " levels deep; give it with less nesting");
                }
            }
        } catch (YAMLException _) {
            // The text has another fault, and the exception that the caller has caught describes it.
        }
        return Optional.empty();
    }

    private static String jsonFix(JacksonException broken) {
        return broken.getOriginalMessage().startsWith("Duplicate field")
                ? ONE_OF_TWO
                : "check commas, quotes and brackets there and above";
    }

    private static String yamlFix(MarkedYAMLException broken) {
        return switch (broken) {
            case DuplicateKeyException _ -> ONE_OF_TWO;
            case RecursiveAlias _ -> "write the value itself";
            default -> "check indentation, quotes and brackets there and above";
        };
    }

    private static Yaml parser() {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setNestingDepthLimit(DEEPEST);
        // The length is not limited here, because the reader of the file has already limited it.
        options.setCodePointLimit(Integer.MAX_VALUE);
        DumperOptions unused = new DumperOptions();
        return new Yaml(
                new WithoutRecursion(options), new Representer(unused), unused, options, new WithoutTimestamps());
    }

    /** Refuses a YAML value that contains an alias of itself, because no tree can hold such a value. */
    private static final class WithoutRecursion extends SafeConstructor {

        WithoutRecursion(LoaderOptions options) {
            super(options);
        }

        @Override
        protected Object constructObject(Node node) {
            if (node.isTwoStepsConstruction()) {
                throw new RecursiveAlias(node.getStartMark());
            }
            return super.constructObject(node);
        }
    }

    /** Reports a YAML value that contains an alias of itself. */
    private static final class RecursiveAlias extends MarkedYAMLException {

        @Serial
        private static final long serialVersionUID = 1;

        RecursiveAlias(Mark mark) {
            super(null, null, "an alias in this value is of the value itself", mark);
        }
    }

    /** Resolves timestamps as strings, because Kubernetes objects contain no dates. */
    private static final class WithoutTimestamps extends Resolver {
        @Override
        public void addImplicitResolver(Tag tag, Pattern regexp, String first, int limit) {
            if (!tag.equals(Tag.TIMESTAMP)) {
                super.addImplicitResolver(tag, regexp, first, limit);
            }
        }
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("it cannot be read");
    }
}
