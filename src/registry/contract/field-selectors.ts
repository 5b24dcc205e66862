import { formatGroupResource, type GroupVersionResource } from "../../apimachinery/group-version.ts";
import { isJsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  fieldLabelNotSupported,
  fieldLabelNotSupportedFor,
  fieldLabels,
  notAKnownFieldSelector,
  type UnsupportedFieldMessage,
} from "../../apimachinery/selectors/field-labels.ts";
import type { FieldLabelConversion } from "../../apimachinery/selectors/field-selector.ts";

/** The fields that a kind's objects can be selected by, in the version of an endpoint. */
export interface FieldSelectors {
  /** From the endpoint's label to the field of the stored object. */
  readonly convert: FieldLabelConversion;
  /** The value of a converted field in a stored object; the empty string when it has none. */
  readonly valueOf: (object: KubeObject, field: string) => string;
}

const metadataFields: ReadonlySet<string> = new Set(["metadata.name", "metadata.namespace"]);

/** Labels that mean a field of another name. */
const aliases: { readonly [groupResource: string]: { readonly [label: string]: string } } = {
  pods: { "spec.host": "spec.nodeName" },
  namespaces: { name: "metadata.name" },
  "events.events.k8s.io": {
    "regarding.kind": "involvedObject.kind",
    "regarding.namespace": "involvedObject.namespace",
    "regarding.name": "involvedObject.name",
    "regarding.uid": "involvedObject.uid",
    "regarding.apiVersion": "involvedObject.apiVersion",
    "regarding.resourceVersion": "involvedObject.resourceVersion",
    "regarding.fieldPath": "involvedObject.fieldPath",
    reportingController: "reportingComponent",
  },
};

/** Where a field stands when its name is not its path; of several places the first that says something counts. */
const paths: {
  readonly [groupResource: string]: { readonly [field: string]: string | readonly string[] };
} = {
  events: { source: ["source.component", "reportingComponent"] },
  "events.events.k8s.io": { source: ["source.component", "reportingComponent"] },
  "jobs.batch": { "status.successful": "status.succeeded" },
  // The label is accepted, yet upstream's field set of a pod does not hold it.
  pods: { "status.podIPs": "" },
};

/** What fields that Go prints even when they are unset compare as. */
const zeroValues: { readonly [field: string]: string } = {
  "spec.hostNetwork": "false",
  "spec.unschedulable": "false",
  "status.replicas": "0",
  "status.succeeded": "0",
};

/** The field selectors of a resource; `supported` are the labels that its endpoint takes. */
export function fieldSelectorsOf(gvr: GroupVersionResource, supported: readonly string[]): FieldSelectors {
  const name = formatGroupResource(gvr);
  const pathOf = paths[name] ?? {};
  return {
    convert: conversionOf(name, supported),
    valueOf: (object, field) => {
      const path = pathOf[field] ?? field;
      return typeof path === "string" ? fieldAt(object, path) : firstOf(object, path);
    },
  };
}

function conversionOf(name: string, supported: readonly string[]): FieldLabelConversion {
  const aliasesOf = new Map(Object.entries(aliases[name] ?? {}));
  return fieldLabels(supported, refusalOf(name, supported), aliasesOf);
}

function refusalOf(name: string, supported: readonly string[]): UnsupportedFieldMessage {
  if (name === "jobs.batch") return fieldLabelNotSupportedFor("Job");
  const hasFieldsOfItsOwn = supported.some((field) => !metadataFields.has(field));
  return hasFieldsOfItsOwn ? fieldLabelNotSupported : notAKnownFieldSelector;
}

function firstOf(object: KubeObject, alternatives: readonly string[]): string {
  for (const path of alternatives) {
    const value = fieldAt(object, path);
    if (value !== "") return value;
  }
  return "";
}

function fieldAt(object: KubeObject, path: string): string {
  return valueAt(object, path) ?? zeroValues[path] ?? "";
}

function valueAt(object: KubeObject, path: string): string | undefined {
  let value: JsonValue | undefined = object;
  for (const segment of path.split(".")) {
    if (!isJsonObject(value)) return undefined;
    value = Object.hasOwn(value, segment) ? value[segment] : undefined;
  }
  return value === undefined || value === null ? undefined : String(value);
}
