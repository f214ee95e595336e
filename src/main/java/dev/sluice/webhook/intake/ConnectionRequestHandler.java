package dev.sluice.webhook.intake;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * Tracks the decoded requests and the written answers of a connection. While the client does not read its answers, no
 * further requests are read. Vert.x alone would continue to answer, and would keep the answers in memory.
 */
final class ConnectionRequestHandler extends ChannelDuplexHandler {

    /**
     * The maximum number of requests that a client may send while earlier ones are not answered yet. The API server
     * waits for each answer.
     */
    private static final int MOST_AHEAD = 16;

    /**
     * The maximum number of requests in one read of the socket. All of them are answered before other connections are
     * served. A read of about 16 KiB contains at most forty of the smallest reviews.
     */
    private static final int MOST_AT_ONCE = 128;

    private final Connections connections;
    private final Connection connection;
    /** The number of requests without a complete answer, including a request whose body is still arriving. */
    private int unanswered;
    /** The number of answers that have not been written to the socket yet. */
    private int unwritten;

    private int ahead;
    private int inThisTurn;
    private boolean inBody;
    private boolean ended;

    ConnectionRequestHandler(Connections connections, Connection connection) {
        this.connections = connections;
        this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!ended && message instanceof HttpRequest request) {
            ended = isTooFarAhead(context);
            unanswered++;
            inBody = HttpUtil.isContentLengthSet(request) || HttpUtil.isTransferEncodingChunked(request);
        }
        if (ended) {
            ReferenceCountUtil.release(message);
            connections.close(connection, ClientAbuseCause.TOO_MANY_PIPELINED);
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

    /**
     * Returns true if the client has sent too many requests without waiting for the answers or reading them. Also
     * returns true if one read of the socket contained too many requests. Answers in the channel are first written to
     * the socket, so that they do not count as unread.
     */
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
        if (unanswered > 1) {
            connection.enter(ConnectionPhase.PIPELINING);
        } else {
            connection.enter(inBody ? ConnectionPhase.BODY : ConnectionPhase.ANSWERING);
        }
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

    /** Returns true if every complete request has been answered. */
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
