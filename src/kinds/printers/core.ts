import { listAt, objectAt, sizeAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { getKey } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { sortedKeys } from "../../apimachinery/text-order.ts";
import { ageOf, nameOf } from "../../codec/tables/cell-text.ts";
import { type GroupPrinters, type Printer, textColumns } from "../../codec/tables/printer.ts";
import { eventPrinter } from "./event.ts";
import { endpointsPrinter, servicePrinter } from "./networking.ts";
import { nodePrinter } from "./node.ts";
import { podPrinter } from "./pod.ts";
import { persistentVolumeClaimPrinter, persistentVolumePrinter } from "./storage.ts";
import { podTemplatePrinter, replicationControllerPrinter } from "./workloads.ts";

export const corePrinters: GroupPrinters = {
  componentstatuses: { cells: componentStatusCells },
  configmaps: {
    cells: (object, now) => [
      nameOf(object),
      sizeAt(object, "data") + sizeAt(object, "binaryData"),
      ageOf(object, now),
    ],
  },
  endpoints: endpointsPrinter,
  events: eventPrinter,
  namespaces: {
    cells: (object, now) => [nameOf(object), textAt(object, "status", "phase"), ageOf(object, now)],
  },
  nodes: nodePrinter,
  persistentvolumeclaims: persistentVolumeClaimPrinter,
  persistentvolumes: persistentVolumePrinter,
  pods: podPrinter,
  podtemplates: podTemplatePrinter,
  replicationcontrollers: replicationControllerPrinter,
  resourcequotas: {
    cells: (object, now) => {
      const { requests, limits } = quotaTexts(object);
      return [nameOf(object), ageOf(object, now), requests, limits];
    },
  },
  secrets: {
    cells: (object, now) => [
      nameOf(object),
      textAt(object, "type"),
      sizeAt(object, "data"),
      ageOf(object, now),
    ],
  },
  serviceaccounts: {
    cells: (object, now) => [nameOf(object), sizeAt(object, "secrets"), ageOf(object, now)],
  },
  services: servicePrinter,
};

/** Resource quotas as 1.33 and later show them. */
export const resourceQuotaPrinter: Printer = {
  columns: textColumns("Name", "Request", "Limit", "Age"),
  cells: (object, now) => {
    const { requests, limits } = quotaTexts(object);
    return [nameOf(object), requests, limits, ageOf(object, now)];
  },
};

/** Service accounts as 1.35 and later show them. */
export const serviceAccountPrinter: Printer = {
  columns: textColumns("Name", "Age"),
  cells: (object, now) => [nameOf(object), ageOf(object, now)],
};

/** `resource: used/hard` for each resource; those called `limits.` and something stand apart. */
function quotaTexts(quota: KubeObject): { readonly requests: string; readonly limits: string } {
  const hard = objectAt(quota, "status", "hard") ?? {};
  const used = objectAt(quota, "status", "used") ?? {};
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

function componentStatusCells(object: KubeObject): readonly string[] {
  const healthy = listAt(object, "conditions").find(({ type }) => type === "Healthy");
  if (healthy === undefined) return [nameOf(object), "Unknown", "", ""];
  const status = healthy.status === "True" ? "Healthy" : "Unhealthy";
  return [nameOf(object), status, textAt(healthy, "message"), textAt(healthy, "error")];
}
