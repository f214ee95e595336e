package dev.sluice.kube.decode;

import dev.sluice.cluster.GpuDevicePlugins;
import dev.sluice.json.JsonCursor;
import java.io.IOException;

/**
 * Collects the fields of a DaemonSet that show whether it is a device plugin for GPUs. The fields are its name and the
 * images of its containers.
 */
final class DaemonSetBuilder {

    static final String KIND = "DaemonSet";

    private final JsonCursor cursor;
    private final ObjectHead head;
    private final ObjectHead.ObjectParts parts;
    private boolean pluginImage;

    DaemonSetBuilder(JsonCursor cursor, ObjectHead head) {
        this.cursor = cursor;
        this.head = head;
        this.parts = new ObjectHead.ObjectParts(KIND, head::metadata, this::spec, _ -> cursor.skip(), "apps/v1");
    }

    void field(String field) throws IOException {
        head.fieldOf(field, parts);
    }

    /** Returns a result whose value is true if the DaemonSet is a device plugin for GPUs. */
    ObjectDecodeResult<DecodedObject<Boolean>> build() {
        return head.decoded(
                parts,
                head.meta().fullName(),
                () -> new DecodedObject<>(
                        head.meta(), GpuDevicePlugins.isPlugin(head.meta().name(), pluginImage)));
    }

    private void spec(String field) throws IOException {
        if (field.equals("template")) {
            cursor.object("spec.template", this::template);
        } else {
            cursor.skip();
        }
    }

    private void template(String field) throws IOException {
        if (field.equals("spec")) {
            cursor.object("spec.template.spec", this::podSpec);
        } else {
            cursor.skip();
        }
    }

    private void podSpec(String field) throws IOException {
        if (field.equals("containers")) {
            cursor.array("spec.template.spec.containers", () -> cursor.object("container", this::container));
        } else {
            cursor.skip();
        }
    }

    private void container(String field) throws IOException {
        if (field.equals("image") && cursor.isText()) {
            pluginImage |= GpuDevicePlugins.isImage(cursor.name(field));
        } else {
            cursor.skip();
        }
    }
}
