package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.admission.patch.PatchOperation;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Encodes JSON patches (RFC 6902). */
public final class ReviewPatchEncoder {

    private ReviewPatchEncoder() {}

    /** Writes a patch as an array of operations. */
    public static void write(List<PatchOperation> patch, JsonGenerator json) throws IOException {
        json.writeStartArray();
        for (PatchOperation operation : patch) {
            json.writeStartObject();
            switch (operation) {
                case PatchOperation.Add add -> {
                    place("add", operation, json);
                    value(add.value(), json);
                }
                case PatchOperation.Replace replace -> {
                    place("replace", operation, json);
                    value(replace.value(), json);
                }
                case PatchOperation.Remove _ -> place("remove", operation, json);
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void place(String name, PatchOperation operation, JsonGenerator json) throws IOException {
        json.writeStringField("op", name);
        json.writeStringField("path", operation.path().text());
    }

    private static void value(PatchOperation.Value value, JsonGenerator json) throws IOException {
        json.writeFieldName("value");
        member(value, json);
    }

    private static void member(PatchOperation.Value value, JsonGenerator json) throws IOException {
        switch (value) {
            case PatchOperation.Text text -> json.writeString(text.text());
            case PatchOperation.Members members -> {
                json.writeStartObject();
                for (Map.Entry<String, PatchOperation.Value> entry :
                        members.members().entrySet()) {
                    json.writeFieldName(entry.getKey());
                    member(entry.getValue(), json);
                }
                json.writeEndObject();
            }
        }
    }
}
