import { isJsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  fieldLabelNotSupported,
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

/** What a kind's field selectors do beyond the labels that the catalog lists for its endpoints. */
export interface FieldSelectorRules {
  /** Labels that mean a field of another name. */
  readonly aliases?: { readonly [label: string]: string };
  /** Where a field stands when its name is not its path; of several places the first that holds a value counts. */
  readonly paths?: { readonly [field: string]: string | readonly string[] };
  /** What unset fields compare as that Go prints all the same. */
  readonly zeroValues?: { readonly [field: string]: string };
  /** How the kind refuses a label. */
  readonly unsupported?: UnsupportedFieldMessage;
}

const metadataFields: ReadonlySet<string> = new Set(["metadata.name", "metadata.namespace"]);

/** The field selectors of a kind; `supported` are the labels that its endpoint takes. */
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
