/**
 * What is true on a real control plane: etcd, kube-apiserver, kube-scheduler and kube-controller-manager as released,
 * nodes and kubelets by KWOK, and the gateway as it was packaged. One control plane serves all tests of a JVM; each
 * test has a namespace and the cluster's nodes to itself.
 *
 * <p>Tests of abuse use a {@link dev.sluice.it.Siege}: the packaged gateway alone, which is attacked while a good client
 * is served. They need no control plane unless Kubernetes plays a part.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.it;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
