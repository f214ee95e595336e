package dev.sluice.tls;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A block of PEM (RFC 7468) with its label and its body in base64. The body may begin with headers. */
public record PemBlock(String label, String body) {

    public static final String CERTIFICATE = "CERTIFICATE";
    public static final String PKCS8 = "PRIVATE KEY";
    static final String PKCS1 = "RSA PRIVATE KEY";
    static final String SEC1 = "EC PRIVATE KEY";

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Base64.Encoder LINES_OF_64 =
            Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    /** Returns the blocks of a text in their order. Text between the blocks is ignored. */
    public static List<PemBlock> parse(String text) {
        List<PemBlock> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            blocks.add(new PemBlock(matcher.group(1), matcher.group(2)));
        }
        return blocks;
    }

    public static String encode(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n" + LINES_OF_64.encodeToString(der) + "\n-----END " + label + "-----\n";
    }

    /** Returns the decoded body. Throws IllegalArgumentException if the body is not base64. */
    byte[] der() {
        return Base64.getDecoder().decode(BLANKS.matcher(body).replaceAll(""));
    }

    boolean isPrivateKey() {
        return label.endsWith(PKCS8);
    }

    boolean isEncrypted() {
        return label.startsWith("ENCRYPTED") || body.contains("ENCRYPTED");
    }

    /** Returns a text without the body, which may be a private key. */
    @Override
    public String toString() {
        return "PemBlock[" + label + "]";
    }
}
