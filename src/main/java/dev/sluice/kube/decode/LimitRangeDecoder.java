package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.admission.request.LimitRangeRule;
import dev.sluice.json.JsonCursor;
import dev.sluice.kube.client.DecodeResult;
import dev.sluice.kube.client.ObjectDecoder;
import dev.sluice.kube.client.ObjectHead;
import java.io.IOException;
import java.util.List;

/** Decodes LimitRanges. It keeps only their rules for extended resources. */
public final class LimitRangeDecoder implements ObjectDecoder<StoredObject<List<LimitRangeRule>>> {

    @Override
    public DecodeResult<StoredObject<List<LimitRangeRule>>> decode(JsonParser parser) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        LimitRangeBuilder builder = new LimitRangeBuilder(cursor, new ObjectHead(cursor, ""));
        cursor.object("the object", builder::field);
        return builder.build();
    }
}
