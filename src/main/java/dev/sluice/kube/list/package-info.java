/** Lists, watch events and statuses as the API server writes them. */
@NullMarked
package dev.sluice.kube.list;

import org.jspecify.annotations.NullMarked;
