package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.console.GatewayApiClient;
import dev.sluice.cli.console.UserProblem;
import java.util.Map;

/** A replica whose management port the user has named. */
record ReplicaAtUrl(GatewayApiClient client) implements StatusReplicaAccess {

    @Override
    public String name() {
        return client.base();
    }

    @Override
    public JsonNode get(String path, Map<String, String> parameters) throws UserProblem, InterruptedException {
        return client.get(path, parameters, /* patient= */ false);
    }
}
