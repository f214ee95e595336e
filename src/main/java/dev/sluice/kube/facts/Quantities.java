package dev.sluice.kube.facts;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component that is a map of resources to quantities, which may be numbers. It is null where the field is
 * missing. Jackson reads the annotation at the parameter, field and accessor that come of the component.
 */
@JacksonAnnotationsInside
@JsonDeserialize(contentUsing = QuantityReader.class)
@JsonSetter(nulls = Nulls.SET)
@JsonInclude(JsonInclude.Include.NON_NULL)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@interface Quantities {}
