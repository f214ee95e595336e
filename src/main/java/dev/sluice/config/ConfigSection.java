package dev.sluice.config;

import dev.sluice.config.ConfigProblem.SourcePosition;
import dev.sluice.config.YamlNode.Entry;
import dev.sluice.config.YamlNode.Mapping;
import dev.sluice.config.YamlNode.Scalar;
import dev.sluice.config.YamlNode.Scalar.Kind;
import dev.sluice.text.SafeText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the keys of one mapping. The methods return an empty result for a key that is missing, null or invalid. At the
 * end, {@link #refuseUnknown} reports all keys that no method has read.
 */
final class ConfigSection {

    private static final Pattern DECIMAL = Pattern.compile("0|-?[1-9][0-9]*");
    private static final Pattern INT_SIZED = Pattern.compile("-?[0-9]{1,9}");

    private final KeyPath path;
    private final List<Entry> entries;
    private final ProblemCollector problems;
    private final Set<String> knownKeys = new LinkedHashSet<>();

    private ConfigSection(KeyPath path, List<Entry> entries, ProblemCollector problems) {
        this.path = path;
        this.entries = entries;
        this.problems = problems;
    }

    public static ConfigSection of(Entry entry, KeyPath path, ProblemCollector problems) {
        return new ConfigSection(
                path,
                switch (entry.value()) {
                    case Mapping mapping -> mapping.entries();
                    case YamlNode.Null _, YamlNode.Reported _ -> List.of();
                    case YamlNode.Items _, Scalar _ -> {
                        refuseAsSection(entry.value(), entry.position(), path, problems);
                        yield List.of();
                    }
                },
                problems);
    }

    /** Reports a value that is no map. */
    static void refuseAsSection(YamlNode value, SourcePosition position, KeyPath path, ProblemCollector problems) {
        problems.problem(position, path, "is " + value.shown(), "expected a map of keys");
    }

    public KeyPath path(String key) {
        return path.key(key);
    }

    /** Returns all entries. This method is for sections in which the user chooses the keys. */
    public List<Entry> entries() {
        return entries;
    }

    public ConfigSection section(String key) {
        return of(value(key).orElse(missing(key)), path(key), problems);
    }

    private Entry missing(String key) {
        return new Entry(problems.document(), key, new YamlNode.Null(problems.document()));
    }

    /** Returns the entry of a key. Returns empty if its value is null, or was already reported as a problem. */
    public Optional<Entry> value(String key) {
        knownKeys.add(key);
        Optional<Entry> written =
                entries.stream().filter(entry -> entry.key().equals(key)).findFirst();
        written.ifPresent(entry -> problems.recordKey(path(key), entry.position()));
        return written.filter(
                entry -> !(entry.value() instanceof YamlNode.Null || entry.value() instanceof YamlNode.Reported));
    }

    /**
     * Returns the value that {@code reader} creates from the node. Reports the node as a problem if {@code reader}
     * returns empty.
     */
    private <T> Optional<T> value(String key, Function<YamlNode, Optional<T>> reader, String fix) {
        return value(key).flatMap(entry -> orRefuse(reader.apply(entry.value()), entry, fix));
    }

    /** Returns the items of a list. Returns no items if the value is not a list. */
    public List<YamlNode> items(String key, String fix) {
        return value(key, ConfigSection::items, fix).orElse(List.of());
    }

    private static Optional<List<YamlNode>> items(YamlNode node) {
        return node instanceof YamlNode.Items items ? Optional.of(items.nodes()) : Optional.empty();
    }

    public Optional<Integer> integer(String key, ConfigIntRange range) {
        return value(key)
                .flatMap(entry -> orRefuse(
                                entry.value()
                                        .text(Kind.NUMBER)
                                        .filter(text -> DECIMAL.matcher(text).matches()),
                                entry,
                                "expected a whole number, " + range)
                        .flatMap(text -> orRefuse(inRange(text, range), entry, "expected " + range)));
    }

    private static Optional<Integer> inRange(String digits, ConfigIntRange range) {
        return INT_SIZED.matcher(digits).matches()
                ? Optional.of(Integer.valueOf(digits)).filter(range::contains)
                : Optional.empty();
    }

    public Optional<Boolean> bool(String key) {
        return value(key, node -> node.text(Kind.BOOLEAN).map(Boolean::valueOf), "expected true or false");
    }

    /** Returns the constant of the enum with this name. In the file, the name is written in lower case with hyphens. */
    public <E extends Enum<E>> Optional<E> choice(String key, Class<E> type) {
        return value(key, node -> constant(node, type), "expected " + words(type));
    }

    private static <E extends Enum<E>> Optional<E> constant(YamlNode node, Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant ->
                        node instanceof Scalar scalar && written(constant).equals(scalar.text()))
                .findFirst();
    }

    private static String written(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <E extends Enum<E>> String words(Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(ConfigSection::written)
                .collect(Collectors.joining(" or "));
    }

    public Optional<String> host(String key) {
        return text(key)
                .flatMap(entry -> orRefuse(
                        entry.value().text(Kind.TEXT).filter(ConfigHostRule::allows),
                        entry,
                        "expected a host name or address without port"));
    }

    /** Returns the text if it is an address with or without a port. Reports any other text as a problem. */
    public Optional<String> address(String key) {
        return text(key)
                .flatMap(entry -> orRefuse(
                        entry.value()
                                .text(Kind.TEXT)
                                .filter(text -> ConfigPeerAddress.read(text, 1).isPresent()),
                        entry,
                        "expected an address that other replicas reach, such as 192.0.2.7, \"192.0.2.7:8444\" or"
                                + " \"[2001:db8::7]:8444\""));
    }

    public Optional<String> name(String key) {
        return text(key).flatMap(entry -> entry.value().text(Kind.TEXT));
    }

    /**
     * Returns the text if it fits on one line and has only printable characters. Reports any other text as a problem.
     */
    public Optional<String> line(String key, int longest) {
        return text(key)
                .flatMap(entry -> orRefuse(
                        entry.value().text(Kind.TEXT).map(String::strip).filter(text -> isLine(text, longest)),
                        entry,
                        "expected one line of at most " + longest + " characters"));
    }

    private static boolean isLine(String text, int longest) {
        return text.length() <= longest && SafeText.isSafe(text);
    }

    public Optional<Path> file(String key) {
        return text(key)
                .flatMap(entry -> orRefuse(
                                entry.value().text(Kind.TEXT).filter(text -> !text.startsWith("~")),
                                entry,
                                "only a shell expands ~, write the whole path")
                        .flatMap(text -> orRefuse(pathOf(text), entry, "expected the path of a file")));
    }

    private static Optional<Path> pathOf(String text) {
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException _) {
            return Optional.empty();
        }
    }

    /** Returns the texts of a list, which may be empty. */
    public Optional<Set<String>> texts(String key) {
        return value(key, ConfigSection::texts, "expected a list of texts such as [kube-apiserver], or []");
    }

    private static Optional<Set<String>> texts(YamlNode list) {
        return items(list)
                .filter(nodes -> nodes.stream().noneMatch(node -> text(node).isBlank()))
                .map(nodes -> nodes.stream().map(ConfigSection::text).collect(Collectors.toSet()));
    }

    private static String text(YamlNode node) {
        return node.text(Kind.TEXT).orElse("");
    }

    private Optional<Entry> text(String key) {
        return value(key).flatMap(entry -> switch (entry.value()) {
            case Scalar(SourcePosition _, Kind kind, String text)
            when kind == Kind.TEXT ->
                text.isBlank() ? refuse(entry, "expected text, or null for the default") : Optional.of(entry);
            case Scalar scalar -> refuse(entry, "expected text, quote it: \"" + scalar.text() + "\"");
            case YamlNode other -> refuse(entry, "expected text");
        });
    }

    /** Returns {@code read}. Reports the entry as a problem if {@code read} is empty. */
    public <T> Optional<T> orRefuse(Optional<T> read, Entry entry, String fix) {
        return read.isPresent() ? read : refuse(entry, fix);
    }

    public <T> Optional<T> refuse(Entry entry, String fix) {
        problems.problem(
                entry.position(), path(entry.key()), "is " + entry.value().shown(), fix);
        return Optional.empty();
    }

    /** Reports all keys that no method has read as unknown. This method must be called after all keys were read. */
    public void refuseUnknown() {
        for (Entry entry : entries) {
            if (!knownKeys.contains(entry.key())) {
                String fix = ConfigNearestKey.to(entry.key(), knownKeys)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("known here: " + String.join(", ", knownKeys));
                problems.problem(entry.position(), path(entry.key()), "is not a known key", fix);
            }
        }
    }
}
