package dev.sluice.bus;

import io.vertx.core.buffer.Buffer;

/** The reply to a {@link ForwardQuestion}. */
public sealed interface ForwardReply {

    /** The other replica has answered the review with this status and body. */
    record HolderAnswered(int status, String contentType, Buffer body) implements ForwardReply {}

    /** The other replica does not decide now. The caller must find out again which replica decides. */
    record NotTheHolder() implements ForwardReply {}

    /** The other replica gave no answer in time. It may have decided about the pod nevertheless. */
    record Unreachable(String why) implements ForwardReply {}
}
