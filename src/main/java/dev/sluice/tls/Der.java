package dev.sluice.tls;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Converts private keys from PKCS#1 and SEC1 to PKCS#8, which is the only format that {@link java.security.KeyFactory}
 * reads.
 */
final class Der {

    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final int EXPLICIT_0 = 0xa0;
    private static final byte[] VERSION_0 = HexFormat.of().parseHex("020100");
    /** The algorithm identifier {@code rsaEncryption} with its NULL parameters (RFC 8017, A.1). */
    private static final byte[] RSA_ENCRYPTION = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    /** The object identifier {@code id-ecPublicKey} (RFC 5480, 2.1.1). */
    private static final byte[] EC_PUBLIC_KEY = HexFormat.of().parseHex("06072a8648ce3d0201");

    private Der() {}

    static byte[] pkcs8OfPkcs1(byte[] rsaPrivateKey) {
        return element(SEQUENCE, VERSION_0, RSA_ENCRYPTION, element(OCTET_STRING, rsaPrivateKey));
    }

    /**
     * Converts an EC key from SEC1 to PKCS#8. The key contains its curve as the element with tag 0 (RFC 5915). Throws
     * IllegalArgumentException if the key has no such element.
     */
    static byte[] pkcs8OfSec1(byte[] ecPrivateKey) {
        ByteBuffer curve = child(child(ByteBuffer.wrap(ecPrivateKey), SEQUENCE), EXPLICIT_0);
        byte[] identifier = new byte[curve.remaining()];
        curve.get(identifier);
        return element(
                SEQUENCE, VERSION_0, element(SEQUENCE, EC_PUBLIC_KEY, identifier), element(OCTET_STRING, ecPrivateKey));
    }

    private static byte[] element(int tag, byte[]... contents) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : contents) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        element.write(tag);
        writeLength(element, content.size());
        element.writeBytes(content.toByteArray());
        return element.toByteArray();
    }

    private static void writeLength(ByteArrayOutputStream out, int length) {
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            // A length of three bytes allows 16 MiB. That is enough, because a PEM file has at most 1 MiB.
            out.write(0x83);
            out.write(length >> 16);
            out.write(length >> 8);
            out.write(length);
        }
    }

    /** Returns the content of the first element with this tag. */
    private static ByteBuffer child(ByteBuffer elements, int wanted) {
        while (elements.remaining() >= 2) {
            int tag = elements.get() & 0xff;
            int length = readLength(elements);
            if (length > elements.remaining()) {
                throw new IllegalArgumentException("cut short");
            }
            ByteBuffer content = elements.slice(elements.position(), length);
            if (tag == wanted) {
                return content;
            }
            elements.position(elements.position() + length);
        }
        throw new IllegalArgumentException("no element tagged " + wanted);
    }

    private static int readLength(ByteBuffer rest) {
        int first = rest.get() & 0xff;
        if (first < 0x80) {
            return first;
        }
        int octets = first & 0x7f;
        if (octets > 2 || octets > rest.remaining()) {
            throw new IllegalArgumentException("a length of " + octets + " octets");
        }
        int length = 0;
        for (int i = 0; i < octets; i++) {
            length = (length << 8) | (rest.get() & 0xff);
        }
        return length;
    }
}
