package dev.sluice.connection;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * Sees requests that were understood, and answers. While a client does not take its answers, nothing more is read from
 * it; Vert.x by itself would go on to answer, and would keep the answers.
 */
final class RequestResponseHandler extends ChannelDuplexHandler {

    /** Requests that were sent ahead while earlier answers were not made or not taken. The API server sends none. */
    private static final int MOST_AHEAD = 16;

    /**
     * Requests in what was read at once, which are 16 KiB or a little more; they are answered before other connections
     * have their turn. Forty reviews that are as small as can be fit in there.
     */
    private static final int MOST_AT_ONCE = 128;

    private final Connections connections;
    private final Connection connection;
    /** Requests without a whole answer yet, the one whose body is coming among them. */
    private int unanswered;
    /** Answers that are not in the socket yet. */
    private int unwritten;

    private int ahead;
    private int inThisTurn;
    private boolean inBody;
    private boolean ended;

    RequestResponseHandler(Connections connections, Connection connection) {
        this.connections = connections;
        this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!ended && message instanceof HttpRequest) {
            ended = isTooFarAhead(context);
            unanswered++;
            inBody = true;
        }
        if (ended) {
            ReferenceCountUtil.release(message);
            connections.close(connection, AbuseCause.TOO_MANY_PIPELINED);
            return;
        }
        inBody &= !(message instanceof LastHttpContent);
        enterPhase();
        context.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        inThisTurn = 0;
        context.fireChannelReadComplete();
    }

    /** Answers that the client takes are sent before more is answered. */
    private boolean isTooFarAhead(ChannelHandlerContext context) {
        if (!context.channel().isWritable()) {
            context.flush();
        }
        if (++inThisTurn > MOST_AT_ONCE) {
            return true;
        }
        if (unanswered == 0 && context.channel().isWritable()) {
            ahead = 0;
            return false;
        }
        context.channel().config().setAutoRead(false);
        return ++ahead > MOST_AHEAD;
    }

    private void enterPhase() {
        connection.enter(inBody && unanswered <= 1 ? ConnectionPhase.BODY : ConnectionPhase.ANSWERING);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (!(message instanceof LastHttpContent) || isContinue(message)) {
            var _ = context.write(message, promise);
            return;
        }
        unanswered = Math.max(0, unanswered - 1);
        unwritten++;
        ChannelPromise written = promise.unvoid();
        var _ = written.addListener((ChannelFutureListener) _ -> written(context));
        var _ = context.write(message, written);
    }

    private static boolean isContinue(Object message) {
        return message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        context.flush();
        if (unwritten > 0 && isAllAnswered() && connection.phase() != ConnectionPhase.UNREAD) {
            connections.unread(connection);
        }
    }

    /** Nothing that has come in whole waits for its answer. */
    private boolean isAllAnswered() {
        return unanswered == 0 || (inBody && unanswered == 1);
    }

    private void written(ChannelHandlerContext context) {
        unwritten--;
        if (unwritten == 0 && isAllAnswered()) {
            connection.enter(inBody ? ConnectionPhase.BODY : ConnectionPhase.IDLE);
            context.channel().config().setAutoRead(true);
        }
    }
}
