/** The API of the management port as JSON: decisions, problems, and what is asked in the query. */
@NullMarked
package dev.sluice.management.api;

import org.jspecify.annotations.NullMarked;
