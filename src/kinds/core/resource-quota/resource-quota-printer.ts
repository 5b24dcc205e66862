import { structAt } from "../../../apimachinery/fields.ts";
import { getKey, type JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { sortedKeys } from "../../../apimachinery/text-order.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import { type Printer, textColumns } from "../../../codec/tables/printer.ts";

/** Prints resource quotas as releases before 1.33 do. */
export const resourceQuotaPrinter: Printer = {
  cells: (quota, now) => {
    const { requests, limits } = usageTexts(quota);
    return [nameOf(quota), ageOf(quota, now), requests, limits];
  },
};

/** Prints resource quotas as 1.33 and later do. */
export const newerResourceQuotaPrinter: Printer = {
  columns: textColumns("Name", "Request", "Limit", "Age"),
  cells: (quota, now) => {
    const { requests, limits } = usageTexts(quota);
    return [nameOf(quota), requests, limits, ageOf(quota, now)];
  },
};

/** `resource: used/hard` for each resource. Resources that start with `limits.` have a cell of their own. */
function usageTexts(quota: KubeObject): { readonly requests: string; readonly limits: string } {
  const hard = structAt(quota, "status", "hard");
  const used = structAt(quota, "status", "used");
  const requests: string[] = [];
  const limits: string[] = [];
  for (const resource of sortedKeys(hard)) {
    const texts = resource.startsWith("limits.") ? limits : requests;
    texts.push(`${resource}: ${quantity(used, resource)}/${quantity(hard, resource)}`);
  }
  return { requests: requests.join(", "), limits: limits.join(", ") };
}

function quantity(quantities: JsonObject, resource: string): string {
  return String(getKey(quantities, resource) ?? "0");
}
