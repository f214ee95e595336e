/** YAML and JSON documents as trees whose nodes know their lines. */
@NullMarked
@CheckReturnValue
package dev.sluice.config.tree;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
