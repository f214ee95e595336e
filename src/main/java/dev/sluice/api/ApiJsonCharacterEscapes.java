package dev.sluice.api;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Escapes invisible characters in JSON, in the form {@code \}{@code u001b}. They are control characters (C0, DEL and
 * C1), format characters such as bidirectional marks, and the separators U+2028 and U+2029, which could control a
 * terminal or change the order of a line. Single surrogates are escaped as well, because UTF-8 cannot encode them.
 */
final class ApiJsonCharacterEscapes extends CharacterEscapes {

    private static final long serialVersionUID = 1;

    private static final int DELETE = 0x7f;

    @Override
    public int[] getEscapeCodesForAscii() {
        int[] codes = standardAsciiEscapesForJSON();
        codes[DELETE] = ESCAPE_STANDARD;
        return codes;
    }

    /** Returns the escape for a character. Returns null if the character is written unchanged. */
    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                new SerializedString("\\u" + HexFormat.of().toHexDigits((char) character));
            default -> null;
        };
    }
}
