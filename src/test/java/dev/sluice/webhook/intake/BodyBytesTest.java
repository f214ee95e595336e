package dev.sluice.webhook.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyBytesTest {

    private static final int LARGE = 3 * BodyPiecePool.PIECE + 12_345;

    private final BodyPiecePool pool = new BodyPiecePool();

    @ParameterizedTest
    @CsvSource({"1, 1", "5000, 5000", "5000, 7", "16384, 16384", "300000, 16384", "1000000, 1", "1000000, 400000"})
    void holdsWhatWasAppended(int length, int chunk) throws IOException {
        byte[] sent = random(length);
        assertThat(appended(sent, chunk).length()).isEqualTo(length);
        assertThat(appended(sent, chunk).join()).isEqualTo(sent);
        try (var stream = appended(sent, chunk).stream()) {
            assertThat(stream.readAllBytes()).isEqualTo(sent);
        }
    }

    @Test
    void aBodyOfOneChunkIsNotCopied() {
        Buffer chunk = Buffer.buffer(random(5_000));
        BodyBytes bytes = new BodyBytes(pool);
        bytes.append(chunk);
        assertThat(bytes.join()).isSameAs(((BufferInternal) chunk).getByteBuf().array());
    }

    @Test
    void aPartOfAnotherBufferIsCopied() {
        byte[] sent = random(5_000);
        BodyBytes bytes = new BodyBytes(pool);
        bytes.append(Buffer.buffer(sent).slice(1_000, 3_000));
        bytes.append(Buffer.buffer(sent).slice(3_000, 3_500));
        assertThat(bytes.join()).isEqualTo(Arrays.copyOfRange(sent, 1_000, 3_500));
    }

    @Test
    void isReadByteByByteAndInAnySize() throws IOException {
        byte[] sent = random(LARGE);
        try (var stream = appended(sent, 10_000).stream()) {
            assertThat(stream.read()).isEqualTo(sent[0] & 0xff);
            assertThat(stream.readNBytes(300_000)).isEqualTo(Arrays.copyOfRange(sent, 1, 300_001));
            assertThat(stream.readAllBytes()).isEqualTo(Arrays.copyOfRange(sent, 300_001, LARGE));
            assertThat(stream.read()).isEqualTo(-1);
        }
    }

    @Test
    void theNextBodyDoesNotShowWhatWasInThePiecesBefore() throws IOException {
        for (int i = 0; i < 5; i++) {
            byte[] sent = random(LARGE - 10_000 * i);
            try (var stream = appended(sent, 16_384).stream()) {
                assertThat(stream.readAllBytes()).isEqualTo(sent);
            }
        }
    }

    @Test
    void itsPiecesServeTheNextBodyWhenItHasBeenReadJoinedDroppedOrLeft() throws IOException {
        appended(random(LARGE), 16_384).drop();
        Set<byte[]> first = pieces();
        assertThat(first).hasSize(3);
        first.forEach(pool::give);
        try (var stream = appended(random(LARGE), 16_384).stream()) {
            var _ = stream.readAllBytes();
        }
        Set<byte[]> second = pieces();
        assertThat(second).isEqualTo(first);
        second.forEach(pool::give);
        var _ = appended(random(LARGE), 16_384).join();
        Set<byte[]> third = pieces();
        assertThat(third).isEqualTo(first);
        third.forEach(pool::give);
        try (var stream = appended(random(LARGE), 16_384).stream()) {
            assertThat(stream.readNBytes(BodyPiecePool.PIECE)).hasSize(BodyPiecePool.PIECE);
        }
        assertThat(pieces()).isEqualTo(first);
    }

    @Test
    void noTwoBodiesShareAPiece() {
        BodyBytes gone = appended(random(LARGE), 16_384);
        gone.drop();
        gone.drop();
        byte[] sent = random(LARGE);
        BodyBytes one = appended(sent, 16_384);
        var _ = appended(random(LARGE - 1), 16_384);
        assertThat(one.join()).isEqualTo(sent);
    }

    @ParameterizedTest
    @CsvSource({"5000, 5000", "5000, 7", "300000, 16384", "1000000, 400000"})
    void whatIsKeptIsThereAfterItHasBeenReadAndWritten(int length, int chunk) throws IOException {
        byte[] sent = random(length);
        for (boolean joins : new boolean[] {true, false}) {
            BodyBytes kept = appended(sent, chunk);
            kept.keep();
            try (var stream = kept.stream()) {
                assertThat(joins ? kept.join() : stream.readAllBytes()).isEqualTo(sent);
            }
            BufferInternal buffer = (BufferInternal) kept.buffer();
            for (int write = 0; write < 3; write++) {
                ByteBuf written = buffer.getByteBuf();
                byte[] out = new byte[written.readableBytes()];
                var _ = written.readBytes(out);
                assertThat(out).isEqualTo(sent);
                // A socket releases what it has written.
                var _ = written.release();
            }
            assertThat(buffer.getBytes()).isEqualTo(sent);
        }
    }

    @Test
    void thePiecesOfAKeptBodyServeTheNextOneUnlessSomebodyMayStillReadThem() throws IOException {
        byte[] sent = random(LARGE);
        BodyBytes forwarded = appended(sent, 16_384);
        forwarded.keep();
        Buffer buffer = forwarded.buffer();
        forwarded.drop();
        assertThat(pieces()).isEmpty();

        BodyBytes decidedHere = appended(random(LARGE - 1), 16_384);
        decidedHere.keep();
        try (var stream = decidedHere.stream()) {
            var _ = stream.readAllBytes();
        }
        assertThat(pieces()).isEmpty();
        decidedHere.drop();
        assertThat(pieces()).hasSize(3);
        assertThat(buffer.getBytes()).isEqualTo(sent);
    }

    /** Takes out of the pool what bodies have left there, which is not empty. Compares by identity. */
    private Set<byte[]> pieces() {
        Set<byte[]> found = Collections.newSetFromMap(new IdentityHashMap<>());
        for (byte[] piece = pool.take();
                Arrays.mismatch(piece, new byte[BodyPiecePool.PIECE]) >= 0;
                piece = pool.take()) {
            found.add(piece);
        }
        return found;
    }

    private BodyBytes appended(byte[] sent, int chunk) {
        BodyBytes bytes = new BodyBytes(pool);
        for (int at = 0; at < sent.length; at += chunk) {
            bytes.append(Buffer.buffer(Arrays.copyOfRange(sent, at, Math.min(sent.length, at + chunk))));
        }
        return bytes;
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
