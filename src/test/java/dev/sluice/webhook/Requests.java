package dev.sluice.webhook;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Reviews and the requests that carry them. */
public final class Requests {

    /** Asks what the cluster of the tests has not, but has a fallback for. */
    static final String POD = pod("{\"nvidia.com/mig-2g.20gb\":\"1\"}");

    public static final String UID = "3a6b7c1e-4a2f-4c57-9d55-0f6f6a6c1f10";

    /** A review that is answered with a patch. */
    public static final String REVIEW = review(UID, POD);

    private Requests() {}

    static String pod(String resources) {
        return "{\"metadata\":{\"name\":\"train\"},\"spec\":{\"containers\":[{\"name\":\"train\",\"resources\":{"
                + "\"limits\":" + resources + ",\"requests\":" + resources + "}}]}}";
    }

    static String review(String uid, String object) {
        return reviewOf(uid, "\"\",\"version\":\"v1\",\"kind\":\"Pod\"", "CREATE", object);
    }

    /** {@code kind} is the inside of request.kind, from the value of its group on. */
    static String reviewOf(String uid, String kind, String operation, String object) {
        return "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"" + uid
                + "\",\"kind\":{\"group\":" + kind + "},\"name\":\"train\",\"namespace\":\"team-a\",\"operation\":\""
                + operation + "\",\"object\":" + object + ",\"oldObject\":null,\"dryRun\":false}}";
    }

    public static String head(String line, String... headers) {
        return line + " HTTP/1.1\r\nHost: localhost\r\n"
                + (headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n") + "\r\n";
    }

    public static byte[] post(String body) {
        return post(body.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] post(byte[] body) {
        return postTo("/mutate", "application/json", body);
    }

    static byte[] postTo(String path, String contentType, byte[] body) {
        return join(
                head("POST " + path, "Content-Type: " + contentType, "Content-Length: " + body.length)
                        .getBytes(StandardCharsets.UTF_8),
                body);
    }

    /** In chunks of {@code size} bytes. */
    static byte[] chunked(byte[] body, int size) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head("POST /mutate", "Content-Type: application/json", "Transfer-Encoding: chunked")
                .getBytes(StandardCharsets.UTF_8));
        for (int at = 0; at < body.length; at += size) {
            int length = Math.min(size, body.length - at);
            bytes.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.UTF_8));
            bytes.write(body, at, length);
            bytes.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
        }
        bytes.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        return bytes.toByteArray();
    }

    public static byte[] join(byte[]... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }
}
