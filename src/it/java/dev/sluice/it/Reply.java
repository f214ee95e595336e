package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import java.util.Map;

/** What a webhook answers: a status and headers, and, if that is 200, the response object of a review. */
record Reply(int status, Map<String, String> headers, ObjectNode response) {

    static Reply allow() {
        ObjectNode response = JsonNodeFactory.instance.objectNode().put("allowed", true);
        return new Reply(200, Map.of(), response);
    }

    static Reply status(int status, Map<String, String> headers) {
        return new Reply(status, headers, JsonNodeFactory.instance.objectNode());
    }

    static Reply deny(String message) {
        Reply reply = allow();
        reply.response().put("allowed", false);
        reply.response()
                .putObject("status")
                .put("code", 403)
                .put("reason", "Forbidden")
                .put("message", message);
        return reply;
    }

    /** With this JSON patch. */
    Reply patch(String operations) {
        ObjectNode patched = response.deepCopy();
        patched.put("patchType", "JSONPatch");
        patched.put("patch", Base64.getEncoder().encodeToString(operations.getBytes(UTF_8)));
        return new Reply(status, headers, patched);
    }

    Reply warn(String... warnings) {
        ObjectNode warned = response.deepCopy();
        var list = warned.putArray("warnings");
        for (String warning : warnings) {
            var _ = list.add(warning);
        }
        return new Reply(status, headers, warned);
    }

    Reply audit(String key, String value) {
        ObjectNode audited = response.deepCopy();
        audited.withObject("/auditAnnotations").put(key, value);
        return new Reply(status, headers, audited);
    }

    /** Under another uid than the request's. */
    Reply uid(String uid) {
        ObjectNode named = response.deepCopy();
        named.put("uid", uid);
        return new Reply(status, headers, named);
    }
}
