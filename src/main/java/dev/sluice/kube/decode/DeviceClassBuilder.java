package dev.sluice.kube.decode;

import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.DeviceSelector;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Collects the fields of a DeviceClass, which may come in any order. */
final class DeviceClassBuilder {

    static final String KIND = "DeviceClass";

    /** The number of selectors that the API server allows ({@code DeviceSelectorsMaxSize}). */
    private static final int MAX_SELECTORS = 32;

    private final JsonCursor cursor;
    private final ObjectHead head;
    private final ObjectHead.ObjectParts parts;
    private final List<DeviceSelector> selectors = new ArrayList<>(2);
    private String extendedResource = "";

    DeviceClassBuilder(JsonCursor cursor, ObjectHead head) {
        this.cursor = cursor;
        this.head = head;
        this.parts = new ObjectHead.ObjectParts(
                KIND, head::stampedMetadata, this::spec, _ -> cursor.skip(), DraDecoders.API);
    }

    void field(String field) throws IOException {
        head.fieldOf(field, parts);
    }

    private void spec(String field) throws IOException {
        switch (field) {
            case "extendedResourceName" -> extendedResource = cursor.name("spec.extendedResourceName");
            case "selectors" -> cursor.array("spec.selectors", this::selector);
            default -> cursor.skip();
        }
    }

    /** Decodes a selector. A selector of an unknown type becomes a selector that Sluice cannot evaluate. */
    private void selector() throws IOException {
        String[] expression = {""};
        cursor.object("spec.selectors", field -> {
            if (field.equals("cel")) {
                cursor.object("spec.selectors.cel", part -> {
                    if (part.equals("expression")) {
                        expression[0] = cursor.textOrEmpty("spec.selectors.cel.expression");
                    } else {
                        cursor.skip();
                    }
                });
            } else {
                cursor.skip();
            }
        });
        if (selectors.size() < MAX_SELECTORS) {
            selectors.add(DeviceSelector.of(expression[0]));
        } else {
            cursor.report("spec.selectors has more than " + MAX_SELECTORS + " entries");
        }
    }

    ObjectDecodeResult<DecodedObject<DeviceClass>> build() {
        return head.decoded(
                parts,
                head.meta().name(),
                () -> new DecodedObject<>(
                        head.meta(), new DeviceClass(head.meta().name(), extendedResource, created(), selectors)));
    }

    /**
     * Returns the creation time. A DeviceClass in a file may have no creation time, and is then treated as older than
     * all others.
     */
    private Instant created() {
        try {
            return head.created().isEmpty() ? Instant.EPOCH : Instant.parse(head.created());
        } catch (DateTimeException _) {
            return Instant.EPOCH;
        }
    }
}
