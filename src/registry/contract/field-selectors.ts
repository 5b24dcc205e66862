import { isJsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  fieldLabelNotSupported,
  fieldLabels,
  notAKnownFieldSelector,
  type UnsupportedFieldMessage,
} from "../../apimachinery/selectors/field-labels.ts";
import type { FieldLabelConversion } from "../../apimachinery/selectors/field-selector.ts";

/** The fields by which a kind's objects can be selected, in the version of an endpoint. */
export interface FieldSelectors {
  /** Converts a label of the endpoint to a field of the stored object. */
  readonly convert: FieldLabelConversion;
  /** The value of a converted field in a stored object; the empty string without a value. */
  readonly valueOf: (object: KubeObject, field: string) => string;
}

/** The field selectors of a kind beyond the field labels in the catalog. */
export interface FieldSelectorRules {
  /** Labels that stand for another field. */
  readonly aliases?: { readonly [label: string]: string };
  /** The paths of fields whose name is not their path. Of several paths, the first with a value counts. */
  readonly paths?: { readonly [field: string]: string | readonly string[] };
  /** The values of unset fields whose Go type has a zero value with text. */
  readonly zeroValues?: { readonly [field: string]: string };
  /** The message for an unsupported label. */
  readonly unsupported?: UnsupportedFieldMessage;
}

const metadataFields: ReadonlySet<string> = new Set(["metadata.name", "metadata.namespace"]);

/** The field selectors of a kind; `supported` are the labels of the endpoint. */
export function fieldSelectorsOf(
  { aliases = {}, paths = {}, zeroValues = {}, unsupported }: FieldSelectorRules,
  supported: readonly string[],
): FieldSelectors {
  const refusal = unsupported ?? refusalOf(supported);
  return {
    convert: fieldLabels(supported, refusal, new Map(Object.entries(aliases))),
    valueOf: (object, field) => {
      const path = paths[field] ?? field;
      if (typeof path !== "string") return firstOf(object, path);
      return valueAt(object, path) ?? zeroValues[path] ?? "";
    },
  };
}

function refusalOf(supported: readonly string[]): UnsupportedFieldMessage {
  return supported.every((field) => metadataFields.has(field))
    ? notAKnownFieldSelector
    : fieldLabelNotSupported;
}

function firstOf(object: KubeObject, alternatives: readonly string[]): string {
  for (const path of alternatives) {
    const value = valueAt(object, path) ?? "";
    if (value !== "") return value;
  }
  return "";
}

function valueAt(object: KubeObject, path: string): string | undefined {
  let value: JsonValue | undefined = object;
  for (const segment of path.split(".")) {
    if (!isJsonObject(value)) return undefined;
    value = Object.hasOwn(value, segment) ? value[segment] : undefined;
  }
  return value === undefined || value === null ? undefined : String(value);
}
