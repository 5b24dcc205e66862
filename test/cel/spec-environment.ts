import type { Type } from "@bufbuild/cel-spec/cel/expr/checked_pb.js";
import type { Value } from "@bufbuild/cel-spec/cel/expr/value_pb.js";
import type { IncrementalTest } from "@bufbuild/cel-spec/testdata/tests.js";
import type { FunctionDeclaration, Library, Overload } from "../../src/cel/environment/declarations.ts";
import { declare, global, member } from "../../src/cel/environment/declare.ts";
import { type Environment, environmentOf } from "../../src/cel/environment/environment.ts";
import { bindings, twoVariableComprehensions } from "../../src/cel/libraries/extensions/comprehensions.ts";
import { encoders } from "../../src/cel/libraries/extensions/encoders.ts";
import { extendedLists } from "../../src/cel/libraries/extensions/lists.ts";
import { math } from "../../src/cel/libraries/extensions/math.ts";
import { optionalLists, optionals } from "../../src/cel/libraries/extensions/optionals.ts";
import { stringFormatting, stringReversal, strings } from "../../src/cel/libraries/extensions/strings.ts";
import { crossTypeLibrary, standardLibrary } from "../../src/cel/libraries/standard/standard-library.ts";
import {
  type CelType,
  listType,
  mapType,
  opaqueType,
  typeOfType,
  types,
  wrapperType,
} from "../../src/cel/types/cel-type.ts";
import { noSuchOverload } from "../../src/cel/values/cel-error.ts";
import { double, intOf, Uint } from "../../src/cel/values/numbers.ts";
import { Duration, timestampOf } from "../../src/cel/values/times.ts";
import { type CelValue, MapValue, TypeValue } from "../../src/cel/values/value.ts";
import { blocks } from "./block-macros.ts";

/** A part of a test that exists only with protobuf messages. */
export class NeedsMessages extends Error {}

/** The type that a declaration of the suite means. */
export function typeOfDeclaration(type: Type | undefined): CelType {
  const kind = type?.typeKind;
  switch (kind?.case) {
    case "dyn":
      return types.dyn;
    case "null":
      return types.null;
    case "primitive":
      return primitive(kind.value);
    case "wrapper":
      return wrapperType(primitive(kind.value));
    case "wellKnown":
      return [types.any, types.any, types.timestamp, types.duration][kind.value] ?? types.any;
    case "listType":
      return listType(typeOfDeclaration(kind.value.elemType));
    case "mapType":
      return mapType(typeOfDeclaration(kind.value.keyType), typeOfDeclaration(kind.value.valueType));
    case "type":
      return typeOfType(typeOfDeclaration(kind.value));
    case "abstractType":
      return opaqueType(kind.value.name, ...kind.value.parameterTypes.map(typeOfDeclaration));
    case "error":
      return types.error;
    case "typeParam":
      return { kind: "param", name: kind.value, parameters: [] };
    default:
      throw new NeedsMessages(`a declaration of ${kind?.case}`);
  }
}

function primitive(value: number): CelType {
  const all = [types.dyn, types.bool, types.int, types.uint, types.double, types.string, types.bytes];
  return all[value] ?? types.dyn;
}

/** The value that a message of the suite means. */
export function valueOfMessage(value: Value | undefined): CelValue {
  const kind = value?.kind;
  switch (kind?.case) {
    case "nullValue":
      return null;
    case "boolValue":
    case "stringValue":
    case "bytesValue":
      return kind.value;
    case "int64Value":
      return intOf(BigInt(kind.value)) ?? null;
    case "uint64Value":
      return new Uint(BigInt(kind.value));
    case "doubleValue":
      return double(kind.value);
    case "listValue":
      return kind.value.values.map(valueOfMessage);
    case "mapValue": {
      const map = new MapValue();
      for (const entry of kind.value.entries) map.set(valueOfMessage(entry.key), valueOfMessage(entry.value));
      return map;
    }
    case "typeValue":
      return new TypeValue({ kind: "object", name: kind.value, parameters: [] });
    case "objectValue":
      return valueOfAny(kind.value.typeUrl, kind.value.value);
    default:
      throw new NeedsMessages(`a value of ${kind?.case}`);
  }
}

function valueOfAny(url: string, bytes: Uint8Array): CelValue {
  const name = url.replace(/^.*\//, "");
  if (name !== "google.protobuf.Timestamp" && name !== "google.protobuf.Duration")
    throw new NeedsMessages(name);
  const fields = varints(bytes);
  const [seconds, nanoseconds] = [fields.get(1) ?? 0n, fields.get(2) ?? 0n];
  if (name.endsWith("Duration")) return new Duration(seconds * 1_000_000_000n + nanoseconds);
  return timestampOf(Number(seconds), Number(nanoseconds)) ?? null;
}

/** The fields of a message that has only integers. */
function varints(bytes: Uint8Array): Map<number, bigint> {
  const fields = new Map<number, bigint>();
  for (let at = 0; at < bytes.length; ) {
    const field = (bytes[at++] ?? 0) >> 3;
    let value = 0n;
    for (let shift = 0n, more = true; more; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      more = byte >= 0x80;
    }
    fields.set(field, BigInt.asIntN(64, value));
  }
  return fields;
}

/** Whether a test names a message type. */
export function needsMessages({ original }: IncrementalTest): boolean {
  const messages = /TestAllTypes|google\.(protobuf\.(?!Timestamp\b|Duration\b)|expr)|proto\.(get|has)Ext/;
  return (
    messages.test(original.expr) || /^(cel\.expr\.conformance|google\.protobuf)/.test(original.container)
  );
}

const libraries: readonly Library[] = [
  standardLibrary,
  crossTypeLibrary,
  optionals,
  optionalLists,
  bindings,
  twoVariableComprehensions,
  strings,
  stringFormatting("plain"),
  stringReversal,
  extendedLists,
  math,
  encoders,
  blocks,
];

const { string } = types;

/** What the tests of cel-go's checker declare besides their expressions. */
const goDeclarations: { readonly variables: readonly [string, CelType][]; readonly library: Library } = {
  variables: [
    ["is", string],
    ["ii", types.int],
    ["iu", types.uint],
    ["iz", types.bool],
    ["ib", types.bytes],
    ["id", types.double],
    ["ix", types.null],
  ],
  library: {
    functions: [
      declare(
        "fg_s",
        global("fg_s_0", [], string, () => noSuchOverload),
      ),
      declare(
        "fi_s_s",
        member("fi_s_s_0", [string], string, () => noSuchOverload),
      ),
    ],
  },
};

/** The environment that a test declares. */
export function specEnvironment(file: string, original: IncrementalTest["original"]): Environment {
  const declared = file === "checking" ? goDeclarations : { variables: [], library: { functions: [] } };
  const variables: [string, CelType][] = [...declared.variables];
  const functions: FunctionDeclaration[] = [];
  for (const { name, declKind } of original.typeEnv) {
    if (declKind.case === "ident") variables.push([name, typeOfDeclaration(declKind.value.type)]);
    if (declKind.case !== "function") continue;
    const overloads = declKind.value.overloads.map(
      (overload): Overload => ({
        id: overload.overloadId,
        isMember: overload.isInstanceFunction,
        parameters: overload.params.map(typeOfDeclaration),
        result: typeOfDeclaration(overload.resultType),
        call: () => noSuchOverload,
      }),
    );
    functions.push({ name, overloads });
  }
  const all = [...libraries, declared.library, { functions }];
  return environmentOf({
    libraries: original.disableMacros ? all.map((library) => ({ ...library, macros: [] })) : all,
    variables,
    container: original.container,
    isChecked: !original.disableCheck,
  });
}
