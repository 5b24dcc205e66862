import { booleanAt, integerAt, textAt } from "../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../codec/tables/cell-text.ts";
import type { GroupPrinters } from "../../codec/tables/printer.ts";

export const coordinationPrinters: GroupPrinters = {
  leases: {
    cells: (lease, now) => [nameOf(lease), textAt(lease, "spec", "holderIdentity"), ageOf(lease, now)],
  },
  leasecandidates: {
    cells: (candidate, now) => [
      nameOf(candidate),
      textAt(candidate, "spec", "leaseName"),
      textAt(candidate, "spec", "binaryVersion"),
      textAt(candidate, "spec", "emulationVersion"),
      ageOf(candidate, now),
    ],
  },
};

export const storagemigrationPrinters: GroupPrinters = {
  storageversionmigrations: {
    cells: (object) => [
      nameOf(object),
      `${textAt(object, "spec", "resource", "resource")}.${textAt(object, "spec", "resource", "group")}`,
    ],
  },
};

export const nodeApiPrinters: GroupPrinters = {
  runtimeclasses: {
    cells: (object, now) => [nameOf(object), textAt(object, "handler"), ageOf(object, now)],
  },
};

export const schedulingPrinters: GroupPrinters = {
  priorityclasses: {
    cells: (object, now) => [
      nameOf(object),
      integerAt(object, "value"),
      booleanAt(object, "globalDefault"),
      ageOf(object, now),
      textAt(object, "preemptionPolicy"),
    ],
  },
};
