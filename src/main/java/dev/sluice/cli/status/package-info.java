/**
 * The command {@code status}, and the registration of Sluice in a cluster, which the command reads: the webhooks that
 * call Sluice with their label selectors, and whether the API server asks about a pod. The command checks that by a dry
 * run, checks whether the API server trusts the certificate of the gateway, and shows the status of each replica. Data
 * that the user may not read is left out.
 */
@NullMarked
package dev.sluice.cli.status;

import org.jspecify.annotations.NullMarked;
