package dev.sluice.management;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.admission.request.ActivePolicy;
import java.lang.reflect.RecordComponent;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Computes a digest of a policy and its rules of injection. Equal policies have equal digests in all processes,
 * although the iteration order of maps and sets differs between processes.
 */
final class PolicyDigest {

    private PolicyDigest() {}

    /** Returns the digest as hexadecimal digits. The digest does not include the LimitRanges of the cluster. */
    static String of(ActivePolicy policy) {
        // The order of the namespaces matters: the first pattern that matches is used.
        List<Map.Entry<?, ?>> namespaces =
                List.copyOf(policy.policies().namespaces().entrySet());
        String text = text(policy.policies().base())
                + namespaces.stream()
                        .map(entry -> text(entry.getKey()) + text(entry.getValue()))
                        .toList()
                + text(policy.injector());
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    private static String text(Object value) {
        return switch (value) {
            case Record whole ->
                Stream.of(whole.getClass().getRecordComponents())
                        .map(component -> component.getName() + "=" + text(value(component, whole)))
                        .collect(Collectors.joining(",", whole.getClass().getSimpleName() + "(", ")"));
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> text(entry.getKey()) + ":" + text(entry.getValue()))
                        .sorted()
                        .collect(Collectors.joining(",", "{", "}"));
            case Set<?> set -> set.stream().map(PolicyDigest::text).sorted().collect(Collectors.joining(",", "{", "}"));
            case Collection<?> list -> list.stream().map(PolicyDigest::text).collect(Collectors.joining(",", "[", "]"));
            default -> value.getClass().getSimpleName() + "'" + value + "'";
        };
    }

    private static Object value(RecordComponent component, Record whole) {
        try {
            Object value = component.getAccessor().invoke(whole);
            return value == null ? "" : value;
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(component + " cannot be read", impossible);
        }
    }
}
