import { goFieldName } from "../apimachinery/go/go-field-name.ts";
import type { GoScalar, GoShape, GoStruct, GoStructField } from "../apimachinery/go/go-shape.ts";
import type { GroupVersion } from "../apimachinery/group-version.ts";
import { isJsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { FieldSchema, ScalarType, Schema, StructSchema } from "../catalog/type-schema.ts";
import { computed, number, structShape, text } from "./go-shapes.ts";
import { elementGoTypeIn, fieldGoTypeIn } from "./go-type-name.ts";
import { type InternalDifference, internalDifferences } from "./internal-differences.ts";
import { formattedQuantity, quantity } from "./quantity-shape.ts";

const noDifference: InternalDifference = {};

/** The package of the internal types of a group: `core`, `flowcontrol`. The types of meta/v1 have no internal form. */
export function internalPackage({ group, version }: GroupVersion): string {
  if (group === "internal.apiserver.k8s.io") return "apiserverinternal";
  return group === "meta" ? version : group.split(".")[0] || "core";
}

/** The internal Go type of a structure of the catalog. */
export function internalShape(schema: StructSchema): GoStruct {
  return schema.compiled(makeShape);
}

function makeShape(schema: StructSchema): GoStruct {
  const type = `${internalPackage(schema.gv)}.${schema.name}`;
  return structShape(type, () => fieldsOf(schema, internalDifferences.get(type) ?? noDifference));
}

function fieldsOf(schema: StructSchema, difference: InternalDifference): readonly GoStructField[] {
  const { moved, without = [] } = difference;
  const hidden = [...without, ...(moved?.fields ?? [])];
  const fields = inOrder(
    schema.fields.filter(({ name }) => !hidden.includes(name)),
    difference,
  );
  const own = (field: FieldSchema) =>
    field.name === moved?.into
      ? withMoved(schema, field, moved.fields)
      : fieldShape(schema, field, difference);
  const embedded = new Set<string>();
  return fields.flatMap((field): GoStructField[] => {
    const { declaredBy } = field;
    if (declaredBy === schema.name) return [own(field)];
    if (embedded.has(declaredBy)) return [];
    embedded.add(declaredBy);
    const type = `${internalPackage(schema.gv)}.${declaredBy}`;
    const parts = () => {
      const declared = fields.filter((other) => other.declaredBy === declaredBy);
      return inOrder(declared, internalDifferences.get(type) ?? noDifference).map(own);
    };
    return [{ name: declaredBy, isEmbedded: true, read: (value) => value, shape: structShape(type, parts) }];
  });
}

function inOrder(fields: readonly FieldSchema[], { order = [] }: InternalDifference): readonly FieldSchema[] {
  const rank = ({ name }: FieldSchema) => (order.includes(name) ? order.indexOf(name) : order.length);
  return fields.toSorted((a, b) => rank(a) - rank(b));
}

/** The field of a structure that in the internal type also has fields of its owner. */
function withMoved(owner: StructSchema, field: FieldSchema, names: readonly string[]): GoStructField {
  const own = fieldShape(owner, field, noDifference);
  const { shape } = own;
  const inner = shape.kind === "pointer" ? shape.to : shape;
  if (inner.kind !== "struct") return own;
  const moved = () =>
    owner.fields.filter(({ name }) => names.includes(name)).map((of) => fieldShape(owner, of, noDifference));
  const to = structShape(inner.type, () => [...moved(), ...inner.fields()]);
  return {
    ...own,
    shape: shape.kind === "pointer" ? { ...shape, to } : to,
    read: (value) => withFieldsOf(value, own.read(value), names),
  };
}

function withFieldsOf(
  owner: JsonValue | undefined,
  value: JsonValue | undefined,
  names: readonly string[],
): JsonValue | undefined {
  const moved = names.flatMap((name) => {
    const inner = readField(owner, name);
    return inner === undefined ? [] : [[name, inner] as const];
  });
  return moved.length === 0 ? value : { ...Object.fromEntries(moved), ...(isJsonObject(value) ? value : {}) };
}

function fieldShape(
  owner: StructSchema,
  field: FieldSchema,
  { names = {}, plain = [] }: InternalDifference,
): GoStructField {
  const { name, schema, emit } = field;
  const type = fieldGoTypeIn(internalPackage, owner, field);
  const inner = shapeOf(owner, schema, type);
  const isPointer = field.pointer && !plain.includes(name);
  const isMetadata = schema.type === "struct" && schema.name === "ObjectMeta";
  return {
    name: isMetadata ? schema.name : (names[name] ?? goFieldName(name)),
    read: (value) => readField(value, name),
    shape: isPointer ? { kind: "pointer", target: type, to: inner } : inner,
    ...(isMetadata && { isEmbedded: true }),
    ...(owner.gv.group === "meta" && { tag: { name, omitsZero: !emit } }),
  };
}

function readField(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function shapeOf(owner: StructSchema, schema: Schema, type: string): GoShape {
  switch (schema.type) {
    case "struct":
      return internalShape(schema);
    case "list": {
      const element = elementGoTypeIn(internalPackage, owner, type, schema.items);
      return { kind: "slice", type, element: shapeOf(owner, schema.items, element) };
    }
    case "map": {
      const values = elementGoTypeIn(internalPackage, owner, type, schema.values);
      const keyMark = type === resourceList.type ? resourceList.keyMark : "";
      return { kind: "map", type, keyMark, values: shapeOf(owner, schema.values, values) };
    }
    case "scalar":
      return scalarShapes[schema.scalar] ?? text;
    case "either":
      return text;
  }
}

const time: GoScalar = { kind: "time" };

const intOrString = structShape("intstr.IntOrString", () => [
  computed("Type", number, (value) => (typeof value === "string" ? 1 : 0)),
  computed("IntVal", number, (value) => (typeof value === "string" ? 0 : value)),
  computed("StrVal", text, (value) => (typeof value === "string" ? value : "")),
]);

/** The scalars of the catalog. Those that are not listed are texts. */
const scalarShapes: { readonly [scalar in ScalarType]?: GoShape } = {
  bool: { kind: "boolean" },
  int32: number,
  int64: number,
  uint32: number,
  uint64: number,
  double: number,
  float: number,
  time,
  quantity,
  intOrString,
  rawExtension: { kind: "raw" },
};

const resourceList: GoShape & { kind: "map" } = {
  kind: "map",
  type: "core.ResourceList",
  keyMark: "s",
  values: quantity,
};

/** Types that are not structures of the catalog. */
export const basicShapes: ReadonlyMap<string, GoShape> = new Map<string, GoShape>([
  ["string", text],
  ["int32", number],
  ["int64", number],
  ["resource.Quantity", quantity],
  ["formatted resource.Quantity", formattedQuantity],
  ["intstr.IntOrString", intOrString],
  [resourceList.type, resourceList],
]);
