import { listAt, sizeAt, textAt, textOr } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";
import { loadBalancerAddresses } from "../../addresses/load-balancer-addresses.ts";

/** The maximum number of hosts in a cell. */
const shownMax = 3;

export const ingressPrinter: Printer = {
  cells: (ingress, now) => [
    nameOf(ingress),
    textOr("<none>", ingress, "spec", "ingressClassName"),
    hosts(ingress),
    loadBalancerAddresses(ingress).join(","),
    sizeAt(ingress, "spec", "tls") === 0 ? "80" : "80, 443",
    ageOf(ingress, now),
  ],
};

/** The hosts of the rules. Upstream counts rules without a host among those that are left out. */
function hosts(ingress: KubeObject): string {
  const rules = listAt(ingress, "spec", "rules");
  const shown: string[] = [];
  for (const rule of rules) {
    if (shown.length === shownMax) return `${shown.join(",")} + ${rules.length - shownMax} more...`;
    const host = textAt(rule, "host");
    if (host !== "") shown.push(host);
  }
  return shown.join(",") || "*";
}
