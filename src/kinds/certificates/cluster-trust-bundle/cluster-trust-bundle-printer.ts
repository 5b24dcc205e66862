import { textAt } from "../../../apimachinery/fields.ts";
import { nameOf, orNone } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const clusterTrustBundlePrinter: Printer = {
  cells: (bundle) => [nameOf(bundle), orNone(textAt(bundle, "spec", "signerName"))],
};
