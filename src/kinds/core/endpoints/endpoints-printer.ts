import { listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, firstFew, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

/** How many addresses a cell shows. */
const MAX_SHOWN = 3;

export const endpointsPrinter: Printer = {
  cells: (endpoints, now) => [nameOf(endpoints), endpointTexts(endpoints), ageOf(endpoints, now)],
};

/** Every address with every port of its subset, or the address alone if the subset has no ports. */
function endpointTexts(endpoints: KubeObject): string {
  const subsets = listAt(endpoints, "subsets");
  if (subsets.length === 0) return "<none>";
  const texts = subsets.flatMap((subset) => {
    const addresses = listAt(subset, "addresses").map((address) => textAt(address, "ip"));
    const ports = listAt(subset, "ports").map((port) => numberAt(port, "port"));
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((ip) => `${ip.includes(":") ? `[${ip}]` : ip}:${port}`));
  });
  return firstFew(texts, MAX_SHOWN);
}
