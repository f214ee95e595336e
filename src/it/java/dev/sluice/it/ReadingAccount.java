package dev.sluice.it;

import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A service account that may list these resources of the core group, and nothing else. */
record ReadingAccount(Cluster cluster, Path kubeconfig) implements AutoCloseable {

    private static final String NAME = "reads-little";

    static ReadingAccount of(Cluster cluster, List<String> resources) throws IOException {
        Account.create(cluster, cluster.namespace(), NAME);
        var _ = cluster.client()
                .resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .endMetadata()
                        .addNewRule()
                        .withApiGroups("")
                        .withResources(resources)
                        .withVerbs("list")
                        .endRule()
                        .build())
                .create();
        var _ = cluster.client()
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", NAME)
                        .addNewSubject("", "ServiceAccount", NAME, cluster.namespace())
                        .build())
                .create();
        Account account = Account.of(cluster.plane(), cluster.namespace(), NAME);
        return new ReadingAccount(cluster, Path.of(account.kubeconfig()));
    }

    @Override
    public void close() {
        var _ = cluster.client().rbac().clusterRoleBindings().withName(NAME).delete();
        var _ = cluster.client().rbac().clusterRoles().withName(NAME).delete();
    }
}
