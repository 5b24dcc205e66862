import type { GoScalar, GoShape, GoStruct, GoStructField } from "../../apimachinery/go/go-shape.ts";
import { isJsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import type { FieldSchema, ScalarSchema, Schema, StructSchema } from "../../catalog/type-schema.ts";
import { type KindSchema, requiredStruct } from "../../schema/kind-schema.ts";
import { goFieldName } from "./go-field-name.ts";

/** The order of fields in internal types where it differs from that of v1. */
const fieldOrders: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "PodSpec",
    `volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds
    activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName automountServiceAccountToken nodeName securityContext
    imagePullSecrets hostname subdomain setHostnameAsFQDN affinity schedulerName tolerations hostAliases priorityClassName
    priority preemptionPolicy dnsConfig readinessGates runtimeClassName overhead enableServiceLinks
    topologySpreadConstraints os schedulingGates resourceClaims`.split(/\s+/),
  ],
  [
    "PersistentVolumeSource",
    `gcePersistentDisk awsElasticBlockStore hostPath glusterfs nfs rbd quobyte iscsi flexVolume cinder cephfs fc flocker
    azureFile vsphereVolume azureDisk photonPersistentDisk portworxVolume scaleIO local storageos csi`.split(
      /\s+/,
    ),
  ],
]);

/** The element types of lists of named string types, by field. */
const elementTypes: ReadonlyMap<string, string> = new Map([
  ["accessModes", "core.PersistentVolumeAccessMode"],
  ["add", "core.Capability"],
  ["drop", "core.Capability"],
]);

/** Fields that the internal type has in another place, or not at all. */
const movedFields: ReadonlyMap<string, readonly string[]> = new Map([
  ["PodSpec", ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers", "serviceAccount"]],
]);

/** The internal Go type of a v1 struct. */
export function internalShape(schema: StructSchema): GoStruct {
  return schema.compiled(makeShape);
}

function makeShape(schema: StructSchema): GoStruct {
  return structShape(`${packageOf(schema)}.${schema.name}`, () => fieldsOf(schema));
}

/** The struct of the field `spec` of a built-in kind. */
export function specOf(kind: KindSchema): StructSchema {
  return structOf(requiredStruct(kind), "spec");
}

/** @throws {Error} if the field is not a struct or a list of structs */
export function structOf(owner: StructSchema, name: string): StructSchema {
  const found = owner.field(name)?.schema;
  const schema = found?.type === "list" ? found.items : found;
  if (schema?.type !== "struct") throw new Error(`${owner.name} has no structure ${name}`);
  return schema;
}

/** A struct whose fields are computed once. */
export function structShape(type: string, makeFields: () => readonly GoStructField[]): GoStruct {
  let fields: readonly GoStructField[] | undefined;
  return {
    kind: "struct",
    type,
    fields: () => {
      fields ??= makeFields();
      return fields;
    },
    isWhole: false,
  };
}

/** The fields of a struct, except those in another place. */
export function fieldsOf(schema: StructSchema): readonly GoStructField[] {
  const hidden = movedFields.get(schema.name) ?? [];
  const order = fieldOrders.get(schema.name) ?? [];
  const rank = ({ name }: FieldSchema) => (order.includes(name) ? order.indexOf(name) : order.length);
  const fields = schema.fields
    .filter(({ name }) => !hidden.includes(name))
    .toSorted((a, b) => rank(a) - rank(b));
  return withEmbedded(schema, fields);
}

/** The fields of a struct, with those of embedded structs in a field of their own. */
function withEmbedded(schema: StructSchema, fields: readonly FieldSchema[]): readonly GoStructField[] {
  const embedded = new Set<string>();
  return fields.flatMap((field): GoStructField[] => {
    const { declaredBy } = field;
    if (declaredBy === schema.name) return [fieldShape(field)];
    if (embedded.has(declaredBy)) return [];
    embedded.add(declaredBy);
    const own = () => fields.filter((other) => other.declaredBy === declaredBy).map(fieldShape);
    return [
      {
        name: declaredBy,
        isEmbedded: true,
        read: (value) => value,
        shape: structShape(`${packageOf(schema)}.${declaredBy}`, own),
      },
    ];
  });
}

/** A field of the Go type. */
export function fieldShape({ name, schema, pointer }: FieldSchema): GoStructField {
  const inner = shapeOf(schema, elementTypes.get(name));
  const shape: GoShape = pointer ? { kind: "pointer", to: inner } : inner;
  return { name: goFieldName(name), read: (value) => readField(value, name), shape };
}

function readField(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function shapeOf(schema: Schema, textType: string | undefined): GoShape {
  switch (schema.type) {
    case "struct":
      return internalShape(schema);
    case "list":
      return {
        kind: "slice",
        type: `[]${textType ?? typeName(schema.items)}`,
        element: shapeOf(schema.items, undefined),
      };
    case "map":
      return isQuantity(schema.values)
        ? { kind: "map", type: "core.ResourceList", keyMark: "s", values: quantity }
        : {
            kind: "map",
            type: `map[string]${typeName(schema.values)}`,
            keyMark: "",
            values: shapeOf(schema.values, undefined),
          };
    case "scalar":
      return scalarShape(schema);
    case "either":
      return text;
  }
}

const text: GoScalar = { kind: "text" };
const number: GoScalar = { kind: "number" };

function isQuantity(schema: Schema): boolean {
  return schema.type === "scalar" && schema.scalar === "quantity";
}

function scalarShape({ scalar }: ScalarSchema): GoShape {
  switch (scalar) {
    case "bool":
      return { kind: "boolean" };
    case "int32":
    case "int64":
    case "uint32":
    case "uint64":
    case "double":
    case "float":
      return number;
    case "quantity":
      return quantity;
    case "intOrString":
      return intOrString;
    default:
      return text;
  }
}

function typeName(schema: Schema): string {
  if (schema.type === "struct") return `${packageOf(schema)}.${schema.name}`;
  if (schema.type === "list") return `[]${typeName(schema.items)}`;
  return schema.type === "scalar" && schema.scalar !== "string" ? schema.scalar : "string";
}

function packageOf({ gv }: StructSchema): string {
  return gv.group === "meta" ? gv.version : "core";
}

/** A field whose value is computed from the struct. */
function computed(name: string, shape: GoShape, read: (value: JsonValue) => JsonValue): GoStructField {
  return { name, shape, read: (value) => (value === undefined || value === null ? undefined : read(value)) };
}

const int64Amount = structShape("resource.int64Amount", () => [
  computed("value", number, (value) => parseQuantity(String(value)).value),
  computed("scale", number, (value) => parseQuantity(String(value)).scale),
]);

const quantity: GoStruct = {
  ...structShape("resource.Quantity", () => [
    { name: "i", shape: int64Amount, read: (value) => value },
    computed("s", text, String),
    computed("Format", text, (value) => parseQuantity(String(value)).format),
  ]),
  isWhole: true,
};

const intOrString = structShape("intstr.IntOrString", () => [
  computed("Type", number, (value) => (typeof value === "string" ? 1 : 0)),
  computed("IntVal", number, (value) => (typeof value === "string" ? 0 : value)),
  computed("StrVal", text, (value) => (typeof value === "string" ? value : "")),
]);
