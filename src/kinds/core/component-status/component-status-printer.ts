import { listAt, textAt } from "../../../apimachinery/fields.ts";
import { nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const componentStatusPrinter: Printer = {
  cells: (object) => {
    const healthy = listAt(object, "conditions").find(({ type }) => type === "Healthy");
    if (healthy === undefined) return [nameOf(object), "Unknown", "", ""];
    const status = healthy.status === "True" ? "Healthy" : "Unhealthy";
    return [nameOf(object), status, textAt(healthy, "message"), textAt(healthy, "error")];
  },
};
