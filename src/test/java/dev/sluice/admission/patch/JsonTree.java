package dev.sluice.admission.patch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A document of maps, lists and texts, patched strictly by RFC 6902; written without a look at how patches are made.
 */
public final class JsonTree {

    private JsonTree() {}

    /** Changes {@code root}; throws where the RFC says that the operation fails. */
    public static void apply(Object root, List<PatchOperation> patch) {
        for (PatchOperation operation : patch) {
            String[] keys = operation.path().text().split("/", -1);
            Object parent = root;
            for (int i = 1; i < keys.length - 1; i++) {
                parent = step(parent, decoded(keys[i]));
            }
            change(parent, decoded(keys[keys.length - 1]), operation);
        }
    }

    private static String decoded(String key) {
        return key.replace("~1", "/").replace("~0", "~");
    }

    private static Object step(Object parent, String key) {
        Object child = parent instanceof List<?> list
                ? list.get(Integer.parseInt(key))
                : object(parent).get(key);
        if (child == null) {
            throw new IllegalStateException("nothing at " + key);
        }
        return child;
    }

    private static void change(Object parent, String key, PatchOperation operation) {
        Map<String, Object> object = object(parent);
        boolean missing = !object.containsKey(key);
        switch (operation) {
            case PatchOperation.Add add -> object.put(key, value(add.value()));
            case PatchOperation.Replace replace -> {
                failIf(missing, key);
                object.put(key, value(replace.value()));
            }
            case PatchOperation.Remove _ -> {
                failIf(missing, key);
                object.remove(key);
            }
        }
    }

    private static void failIf(boolean missing, String key) {
        if (missing) {
            throw new IllegalStateException("nothing at " + key);
        }
    }

    private static Object value(PatchOperation.Value value) {
        return switch (value) {
            case PatchOperation.Text text -> text.text();
            case PatchOperation.Members members -> {
                Map<String, Object> object = new LinkedHashMap<>();
                members.members().forEach((key, member) -> object.put(key, value(member)));
                yield object;
            }
        };
    }

    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }
}
