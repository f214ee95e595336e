/** YAML and JSON documents as trees whose values know their key, their line and their problems. */
@NullMarked
@CheckReturnValue
package dev.sluice.config.tree;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
