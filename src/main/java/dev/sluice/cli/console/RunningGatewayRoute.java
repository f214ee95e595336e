package dev.sluice.cli.console;

/** A route to a running gateway. The methods block while they look for a gateway, and several threads may call them. */
public interface RunningGatewayRoute extends AutoCloseable {

    /** Returns the client for the gateway that was last found. */
    GatewayApiClient now();

    /** Returns the client to use after {@code silent} has received no answer. It may be the same client. */
    GatewayApiClient after(GatewayApiClient silent) throws UserProblem;

    @Override
    default void close() {}

    /** Returns the route to a gateway at an address that stays the same. */
    static RunningGatewayRoute to(GatewayApiClient gateway) {
        return new RunningGatewayRoute() {
            @Override
            public GatewayApiClient now() {
                return gateway;
            }

            @Override
            public GatewayApiClient after(GatewayApiClient silent) {
                return gateway;
            }
        };
    }
}
