package dev.sluice.kube.client;

import java.util.List;
import java.util.Map;

/** The owner of a token, as the API server describes it. Role bindings may refer to each of these values. */
public record Caller(String name, String uid, List<String> groups, Map<String, List<String>> extra) {

    public Caller {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
    }
}
