package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Checks answers of other replicas before they are passed on to the API server. */
public final class ReviewResponseCheck {

    private static final JsonFactory JSON = new JsonFactory();

    private ReviewResponseCheck() {}

    /** Returns true if these bytes are one JSON object whose response answers the review with this uid. */
    public static boolean isAnswer(byte[] answer, String uid) {
        try (JsonParser json = JSON.createParser(answer)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            boolean found = false;
            for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
                boolean isResponse = json.nextToken() == JsonToken.START_OBJECT && field.equals("response");
                if (isResponse) {
                    found = hasUid(json, uid);
                } else {
                    json.skipChildren();
                }
            }
            return found && json.nextToken() == null;
        } catch (IOException broken) {
            return false;
        }
    }

    private static boolean hasUid(JsonParser json, String uid) throws IOException {
        boolean found = false;
        for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
            boolean isText = json.nextToken() == JsonToken.VALUE_STRING;
            if (field.equals("uid")) {
                found = isText && json.getText().equals(uid);
            }
            json.skipChildren();
        }
        return found;
    }
}
