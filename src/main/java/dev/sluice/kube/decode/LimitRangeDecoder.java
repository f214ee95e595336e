package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.admission.request.NamespaceLimitRangeRule;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.List;

/** Decodes LimitRanges. It keeps only their rules for extended resources. */
public final class LimitRangeDecoder implements ObjectDecoder<DecodedObject<List<NamespaceLimitRangeRule>>> {

    @Override
    public ObjectDecodeResult<DecodedObject<List<NamespaceLimitRangeRule>>> decode(JsonParser parser)
            throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        LimitRangeBuilder builder = new LimitRangeBuilder(cursor, new ObjectHead(cursor, ""));
        cursor.object("the object", builder::field);
        return builder.build();
    }
}
