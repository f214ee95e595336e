package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads a command or its arguments, and keeps only the words that name a scheduler, because other words may contain
 * secrets.
 */
final class FactSchedulerWordsReader extends StdDeserializer<List<String>> {

    @Serial
    private static final long serialVersionUID = 1;

    private static final String FLAG = "--scheduler-name";

    FactSchedulerWordsReader() {
        super(List.class);
    }

    @Override
    @SuppressWarnings("unchecked") // The cast is safe, because handleUnexpectedToken returns a List for List.class.
    public List<String> deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        if (!parser.isExpectedStartArrayToken()) {
            return (List<String>) context.handleUnexpectedToken(List.class, parser);
        }
        List<String> kept = new ArrayList<>();
        boolean isName = false;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.VALUE_STRING) {
                return (List<String>) context.handleUnexpectedToken(String.class, parser);
            }
            String word = parser.getText();
            if (isName || word.equals(FLAG) || word.startsWith(FLAG + "=")) {
                kept.add(word);
            }
            isName = !isName && word.equals(FLAG);
        }
        return kept;
    }

    @Override
    public Object getEmptyValue(DeserializationContext context) {
        return List.of();
    }

    /** Returns the names of the schedulers in these words. */
    static Set<String> names(List<String> words) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.startsWith(FLAG + "=")) {
                names.add(word.substring(FLAG.length() + 1));
            } else if (word.equals(FLAG) && i + 1 < words.size()) {
                i++;
                names.add(words.get(i));
            }
        }
        return names;
    }
}
