import { listAt, objectAt, sizeAt, textAt, textOr, textsAt, valueAt } from "../../apimachinery/fields.ts";
import { formatGroupResource } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { formatLabelSelectorObject } from "../../apimachinery/selectors/label-selector-object.ts";
import { ageOf, firstFew, nameOf } from "../../codec/tables/cell-text.ts";
import type { GroupPrinters } from "../../codec/tables/printer.ts";
import { loadBalancerAddresses } from "../addresses/load-balancer-addresses.ts";

/** How many hosts, addresses or ports a cell holds. */
const MOST = 3;

export const networkingPrinters: GroupPrinters = {
  ingresses: {
    cells: (ingress, now) => [
      nameOf(ingress),
      textOr("<none>", ingress, "spec", "ingressClassName"),
      hosts(ingress),
      loadBalancerAddresses(ingress).join(","),
      sizeAt(ingress, "spec", "tls") === 0 ? "80" : "80, 443",
      ageOf(ingress, now),
    ],
  },
  ingressclasses: {
    cells: (object, now) => [
      nameOf(object),
      textAt(object, "spec", "controller"),
      parameters(objectAt(object, "spec", "parameters")),
      ageOf(object, now),
    ],
  },
  networkpolicies: {
    cells: (object, now) => [
      nameOf(object),
      formatLabelSelectorObject(valueAt(object, "spec", "podSelector")),
      ageOf(object, now),
    ],
  },
  ipaddresses: {
    // There is no column for the age; upstream sends it all the same.
    cells: (object, now) => [
      nameOf(object),
      parent(objectAt(object, "spec", "parentRef")),
      ageOf(object, now),
    ],
  },
  servicecidrs: {
    cells: (object, now) => [nameOf(object), textsAt(object, "spec", "cidrs").join(","), ageOf(object, now)],
  },
};

export const discoveryPrinters: GroupPrinters = {
  endpointslices: {
    cells: (slice, now) => [
      nameOf(slice),
      textAt(slice, "addressType"),
      firstFew(listAt(slice, "ports").map(slicePort), MOST) || "<unset>",
      firstFew(
        listAt(slice, "endpoints").flatMap((endpoint) => textsAt(endpoint, "addresses")),
        MOST,
      ) || "<unset>",
      ageOf(slice, now),
    ],
  },
};

function slicePort(port: JsonObject): string {
  const number = valueAt(port, "port");
  return typeof number === "number" ? String(number) : textOr("*", port, "name");
}

/**
 * The hosts of the rules that have one. Rules without a host count among those that are left over, as upstream
 * takes the number of all rules for that of all hosts.
 */
function hosts(ingress: KubeObject): string {
  const rules = listAt(ingress, "spec", "rules");
  const shown: string[] = [];
  for (const rule of rules) {
    if (shown.length === MOST) return `${shown.join(",")} + ${rules.length - MOST} more...`;
    const host = textAt(rule, "host");
    if (host !== "") shown.push(host);
  }
  return shown.join(",") || "*";
}

/** `Kind.group/name`. */
function parameters(reference: JsonObject | undefined): string {
  if (reference === undefined) return "<none>";
  const kind = textAt(reference, "kind");
  const group = valueAt(reference, "apiGroup");
  const type = typeof group === "string" ? `${kind}.${group}` : kind;
  return `${type}/${textAt(reference, "name")}`;
}

/** `resource.group/namespace/name`. */
function parent(reference: JsonObject | undefined): string {
  if (reference === undefined) return "<none>";
  const resource = formatGroupResource({
    group: textAt(reference, "group"),
    resource: textAt(reference, "resource"),
  }).toLowerCase();
  const namespace = textAt(reference, "namespace");
  return [resource, ...(namespace === "" ? [] : [namespace]), textAt(reference, "name")].join("/");
}
