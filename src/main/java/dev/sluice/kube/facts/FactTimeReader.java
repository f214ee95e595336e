package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a time, and passes it to the {@link NewestFactTime} in the attributes of the ObjectReader. A value that is not
 * a string becomes null.
 */
final class FactTimeReader extends JsonDeserializer<FactTimeText> {

    @Override
    @Nullable
    public FactTimeText deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            parser.skipChildren();
            return null;
        }
        FactTimeText time = new FactTimeText(parser.getText());
        if (context.getAttribute(NewestFactTime.class) instanceof NewestFactTime newest) {
            if (Objects.equals(parser.currentName(), "lastHeartbeatTime")) {
                newest.seeHeartbeat(time);
            } else {
                newest.see(time);
            }
        }
        return time;
    }
}
