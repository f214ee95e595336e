/** YAML and JSON documents as trees whose nodes know their lines. */
@NullMarked
package dev.sluice.config.tree;

import org.jspecify.annotations.NullMarked;
