import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { leasePrinter } from "./lease-printer.ts";
import { leaseStrategy } from "./lease-strategy.ts";

export const leaseRules: BuiltInRules<"leases"> = {
  printer: leasePrinter,
  strategy: leaseStrategy,
};
