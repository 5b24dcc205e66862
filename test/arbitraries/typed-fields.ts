import type { ApplyKind } from "../../src/patch/apply/apply-kind.ts";
import { type ApplyType, scalarType } from "../../src/patch/apply/apply-type.ts";
import { customResourceType } from "../../src/patch/apply/custom-resource-type.ts";

const text = { type: "string" };
const item = {
  type: "object",
  properties: {
    name: text,
    port: { type: "integer", default: 80 },
    value: text,
    tags: { type: "array", items: text, "x-kubernetes-list-type": "set" },
  },
};
/** A structure with a field of every type. */
export const everySort: ApplyType = customResourceType(
  {
    type: "object",
    properties: {
      scalar: text,
      number: { type: "integer" },
      flag: { type: "boolean" },
      map: { type: "object", additionalProperties: text },
      atomicMap: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
      struct: { type: "object", properties: { a: text, b: { type: "object", properties: { c: text } } } },
      atomicList: { type: "array", items: item },
      set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
      keyed: {
        type: "array",
        items: item,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      },
      twice: {
        type: "array",
        items: item,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name", "port"],
      },
      maps: { type: "object", additionalProperties: { type: "object", additionalProperties: text } },
      any: { "x-kubernetes-preserve-unknown-fields": true },
    },
  },
  { objectMeta: scalarType("untyped"), preserveUnknownFields: false },
);

/** A structure with a keyed list whose items have atomic labels. */
export const atomicLabelsOfItems: ApplyType = customResourceType(
  {
    type: "object",
    properties: {
      keyed: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: text,
            labels: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
          },
        },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      },
    },
  },
  { objectMeta: scalarType("untyped"), preserveUnknownFields: false },
);

/** A kind whose objects are decoded, and so fit the type; responses show them as they are. */
export function decodedKind(type: ApplyType): ApplyKind {
  return {
    type,
    empty: {},
    show: (object) => object,
    outline: (object) => object,
    isDecoded: true,
  };
}
