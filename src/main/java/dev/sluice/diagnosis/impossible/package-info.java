/** What no waiting can give: hardware, profiles and claims that do not exist, and more than any node has. */
@NullMarked
package dev.sluice.diagnosis.impossible;

import org.jspecify.annotations.NullMarked;
