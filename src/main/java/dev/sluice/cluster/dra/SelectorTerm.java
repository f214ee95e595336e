package dev.sluice.cluster.dra;

import dev.sluice.cluster.dra.SelectorValue.Choices;
import dev.sluice.cluster.dra.SelectorValue.DomainFields;
import dev.sluice.cluster.dra.SelectorValue.Domains;
import dev.sluice.cluster.dra.SelectorValue.FieldKind;
import dev.sluice.cluster.dra.SelectorValue.QuantityValue;
import dev.sluice.cluster.dra.SelectorValue.StringValue;
import dev.sluice.cluster.dra.SelectorValue.VersionNumber;
import dev.sluice.cluster.dra.SelectorValue.WholeDevice;
import dev.sluice.cluster.dra.SelectorValue.WholeNumber;
import dev.sluice.cluster.quantity.Quantity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** A part of a parsed CEL expression. */
sealed interface SelectorTerm {

    SelectorValue of(SelectorInput input);

    record Constant(SelectorValue value) implements SelectorTerm {
        @Override
        public SelectorValue of(SelectorInput input) {
            return value;
        }
    }

    record AnyOf(List<SelectorTerm> parts) implements SelectorTerm {
        @Override
        public SelectorValue of(SelectorInput input) {
            Certainty answer = Certainty.NO;
            for (SelectorTerm part : parts) {
                answer = answer.or(part.of(input).truth());
            }
            return new SelectorValue.Truth(answer);
        }
    }

    record AllOf(List<SelectorTerm> parts) implements SelectorTerm {
        @Override
        public SelectorValue of(SelectorInput input) {
            Certainty answer = Certainty.YES;
            for (SelectorTerm part : parts) {
                answer = answer.and(part.of(input).truth());
            }
            return new SelectorValue.Truth(answer);
        }
    }

    record Negated(SelectorTerm part) implements SelectorTerm {
        @Override
        public SelectorValue of(SelectorInput input) {
            return new SelectorValue.Truth(part.of(input).truth().not());
        }
    }

    record ListOf(List<SelectorTerm> parts) implements SelectorTerm {
        @Override
        public SelectorValue of(SelectorInput input) {
            return new Choices(parts.stream().map(part -> part.of(input)).toList());
        }
    }

    record Compared(SelectorTerm left, String operator, SelectorTerm right) implements SelectorTerm {
        @Override
        public SelectorValue of(SelectorInput input) {
            SelectorValue one = left.of(input);
            SelectorValue other = right.of(input);
            return new SelectorValue.Truth(
                    switch (operator) {
                        case "==" -> one.equalTo(other);
                        case "!=" -> one.equalTo(other).not();
                        case "in" -> isIn(one, other, input);
                        default -> ordered(one, other);
                    });
        }

        private Certainty ordered(SelectorValue one, SelectorValue other) {
            if (!(one instanceof WholeNumber(long a) && other instanceof WholeNumber(long b))) {
                return Certainty.MAYBE;
            }
            return Certainty.of(
                    switch (operator) {
                        case "<" -> a < b;
                        case "<=" -> a <= b;
                        case ">" -> a > b;
                        default -> a >= b;
                    });
        }

        private static Certainty isIn(SelectorValue one, SelectorValue other, SelectorInput input) {
            return switch (other) {
                case Choices(List<SelectorValue> values) -> {
                    Certainty found = Certainty.NO;
                    for (SelectorValue value : values) {
                        found = found.or(one.equalTo(value));
                    }
                    yield found;
                }
                case Domains(FieldKind kind) ->
                    one.text()
                            .map(domain -> Certainty.of(input.hasDomain(kind, domain)))
                            .orElse(Certainty.MAYBE);
                case DomainFields(FieldKind kind, String domain) ->
                    one.text()
                            .map(name -> Certainty.of(input.has(kind, domain, name)))
                            .orElse(Certainty.MAYBE);
                default -> Certainty.MAYBE;
            };
        }
    }

    /** The access to a field: {@code of.name} or {@code of["name"]}. */
    record Selected(SelectorTerm from, SelectorTerm key) implements SelectorTerm {
        @Override
        public SelectorValue of(SelectorInput input) {
            return key.of(input)
                    .text()
                    .map(name -> field(from.of(input), name, input))
                    .orElse(SelectorValue.unknown());
        }

        private static SelectorValue field(SelectorValue from, String name, SelectorInput input) {
            return switch (from) {
                case WholeDevice() -> fieldOfDevice(name, input);
                case Domains(FieldKind kind) -> new DomainFields(kind, name);
                case DomainFields(FieldKind kind, String domain) ->
                    switch (kind) {
                        case ATTRIBUTES -> input.attribute(domain, name);
                        case CAPACITY -> input.capacity(domain, name);
                    };
                default -> SelectorValue.unknown();
            };
        }

        private static SelectorValue fieldOfDevice(String name, SelectorInput input) {
            return switch (name) {
                case "driver" -> new StringValue(input.driver());
                case "attributes" -> new Domains(FieldKind.ATTRIBUTES);
                case "capacity" -> new Domains(FieldKind.CAPACITY);
                case "allowMultipleAllocations" ->
                    SelectorValue.of(input.device().shared());
                default -> SelectorValue.unknown();
            };
        }
    }

    /** The macro {@code has(of.name)}, which is true if the field exists. */
    record Present(Selected field) implements SelectorTerm {
        @Override
        public SelectorValue of(SelectorInput input) {
            Optional<String> name = field.key().of(input).text();
            return field.from().of(input) instanceof DomainFields(FieldKind kind, String domain) && name.isPresent()
                    ? SelectorValue.of(input.has(kind, domain, name.get()))
                    : SelectorValue.unknown();
        }
    }

    /**
     * The call {@code function(argument)} or {@code of.function(argument)}. In the second form, the target is the first
     * argument.
     */
    record Called(String function, List<SelectorTerm> arguments) implements SelectorTerm {
        @Override
        public SelectorValue of(SelectorInput input) {
            List<SelectorValue> values =
                    arguments.stream().map(argument -> argument.of(input)).toList();
            return switch (values.size()) {
                case 1 -> ofOne(values.getFirst());
                case 2 -> ofTwo(values.getFirst(), values.getLast());
                default -> SelectorValue.unknown();
            };
        }

        private SelectorValue ofOne(SelectorValue value) {
            Optional<String> text = value.text();
            return text.flatMap(known -> switch (function) {
                        case "quantity" -> Quantity.parse(known).<SelectorValue>map(QuantityValue::new);
                        case "semver" -> SemanticVersion.parse(known).<SelectorValue>map(VersionNumber::new);
                        case ".lowerAscii" -> lowerCased(known);
                        default -> Optional.<SelectorValue>empty();
                    })
                    .orElse(SelectorValue.unknown());
        }

        /** Converts ASCII letters to lower case. Like CEL, it does not change other letters. */
        private static Optional<SelectorValue> lowerCased(String text) {
            return text.chars().allMatch(c -> c < 128)
                    ? Optional.of(new StringValue(text.toLowerCase(Locale.ROOT)))
                    : Optional.empty();
        }

        private SelectorValue ofTwo(SelectorValue one, SelectorValue other) {
            if (one instanceof StringValue(String text) && other instanceof StringValue(String part)) {
                return switch (function) {
                    case ".startsWith" -> SelectorValue.of(text.startsWith(part));
                    case ".endsWith" -> SelectorValue.of(text.endsWith(part));
                    case ".contains" -> SelectorValue.of(text.contains(part));
                    default -> SelectorValue.unknown();
                };
            }
            OptionalInt order = one.order(other);
            return order.isEmpty()
                    ? SelectorValue.unknown()
                    : switch (function) {
                        case ".isGreaterThan" -> SelectorValue.of(order.getAsInt() > 0);
                        case ".isLessThan" -> SelectorValue.of(order.getAsInt() < 0);
                        case ".compareTo" -> new WholeNumber(Integer.signum(order.getAsInt()));
                        default -> SelectorValue.unknown();
                    };
        }
    }
}
