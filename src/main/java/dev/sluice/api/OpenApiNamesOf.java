package dev.sluice.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a record component that contains the simple name of a type. The type is a permitted type of one of the sealed
 * types in {@link #value}. The OpenAPI document lists the names of all these permitted types.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface OpenApiNamesOf {
    Class<?>[] value();

    /**
     * Returns the name of the schema that lists the possible names. If it is empty, the names are listed at the
     * component itself.
     */
    String schema() default "";
}
