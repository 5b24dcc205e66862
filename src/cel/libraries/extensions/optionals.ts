import type { Library } from "../../environment/declarations.ts";
import { A, B, declare, global, member } from "../../environment/declare.ts";
import { optionalMacros } from "../../syntax/macros.ts";
import { operators } from "../../syntax/operators.ts";
import { listType, mapType, optionalType, types } from "../../types/cel-type.ts";
import { celError, noSuchOverload } from "../../values/cel-error.ts";
import { isList, isMap, mapSize } from "../../values/containers.ts";
import { doubleValue, Uint } from "../../values/numbers.ts";
import { Duration, Timestamp } from "../../values/times.ts";
import { type CelValue, Optional, optionalNone } from "../../values/value.ts";
import { unary } from "../arguments.ts";
import type { Guard } from "../guards.ts";
import { isListValue } from "../guards.ts";
import { typeConstant } from "../standard/standard-library.ts";

const isOptional: Guard<Optional> = (value): value is Optional => value instanceof Optional;
const optionalA = optionalType(A);
const optionalB = optionalType(B);

/** optional_type with its functions and macros. */
export const optionals: Library = {
  functions: [
    declare(
      "optional.of",
      global("optional_of", [A], optionalA, (value = null) => new Optional(value)),
    ),
    declare(
      "optional.ofNonZeroValue",
      global("optional_ofNonZeroValue", [A], optionalA, (value = null) =>
        isZero(value) ? optionalNone : new Optional(value),
      ),
    ),
    declare(
      "optional.none",
      global("optional_none", [], optionalA, () => optionalNone),
    ),
    declare(
      "value",
      member(
        "optional_value",
        [optionalA],
        A,
        unary(
          isOptional,
          ({ value }) => value ?? (value === null ? null : celError("optional.none() dereference")),
        ),
      ),
    ),
    declare(
      "hasValue",
      member(
        "optional_hasValue",
        [optionalA],
        types.bool,
        unary(isOptional, ({ value }) => value !== undefined),
      ),
    ),
    // The evaluation implements these itself, because they do not need all operands.
    declare(
      "or",
      member("optional_or_optional", [optionalA, optionalA], optionalA, () => noSuchOverload),
    ),
    declare(
      "orValue",
      member("optional_orValue_value", [optionalA, A], A, () => noSuchOverload),
    ),
    declare(
      operators.optionalSelect,
      global("select_optional_field", [types.dyn, types.string], optionalA, () => noSuchOverload),
    ),
    declare(
      operators.optionalIndex,
      global("list_optindex_optional_int", [listType(A), types.int], optionalA, () => noSuchOverload),
      global(
        "optional_list_optindex_optional_int",
        [optionalType(listType(A)), types.int],
        optionalA,
        () => noSuchOverload,
      ),
      global("map_optindex_optional_value", [mapType(A, B), A], optionalB, () => noSuchOverload),
      global(
        "optional_map_optindex_optional_value",
        [optionalType(mapType(A, B)), A],
        optionalB,
        () => noSuchOverload,
      ),
    ),
    declare(
      operators.index,
      global(
        "optional_list_index_int",
        [optionalType(listType(A)), types.int],
        optionalA,
        () => noSuchOverload,
      ),
      global("optional_map_index_value", [optionalType(mapType(A, B)), A], optionalB, () => noSuchOverload),
    ),
  ],
  macros: optionalMacros,
  constants: [typeConstant(["optional_type", optionalA])],
};

/** Functions that version 2 of cel-go's library added; Kubernetes has them where it has the library's newest version. */
export const optionalLists: Library = {
  functions: [
    declare(
      "last",
      member(
        "list_last",
        [listType(A)],
        optionalA,
        unary(isListValue, (list) => optionalOf(list.at(-1))),
      ),
    ),
    declare(
      "first",
      member(
        "list_first",
        [listType(A)],
        optionalA,
        unary(isListValue, (list) => optionalOf(list[0])),
      ),
    ),
    declare(
      "optional.unwrap",
      global("optional_unwrap", [listType(optionalA)], listType(A), unary(isListValue, unwrap)),
    ),
    declare(
      "unwrapOpt",
      member("optional_unwrapOpt", [listType(optionalA)], listType(A), unary(isListValue, unwrap)),
    ),
  ],
};

function optionalOf(value: CelValue | undefined): Optional {
  return value === undefined ? optionalNone : new Optional(value);
}

function unwrap(list: readonly CelValue[]): CelValue {
  const values: CelValue[] = [];
  for (const item of list) {
    if (!(item instanceof Optional)) return celError("value is not optional");
    if (item.value !== undefined) values.push(item.value);
  }
  return values;
}

/** Whether the value is the zero of its type: empty, 0, false, null. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === "" || value === 0) return true;
  if (doubleValue(value) === 0) return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanoseconds === 0n;
  // The zero of Go's time is in the year 1.
  if (value instanceof Timestamp) return value.seconds === -62135596800 && value.nanoseconds === 0;
  if (value instanceof Uint8Array || isList(value)) return value.length === 0;
  if (value instanceof Optional) return value.value === undefined;
  return isMap(value) && mapSize(value) === 0;
}
