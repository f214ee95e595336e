/** What is wrong with a kubeconfig, in sentences that name the file and the line. */
@NullMarked
package dev.sluice.kube.kubeconfig;

import org.jspecify.annotations.NullMarked;
