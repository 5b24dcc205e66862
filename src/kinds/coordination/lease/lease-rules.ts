import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { leaseStrategy } from "./lease-strategy.ts";

export const leaseRules: BuiltInRules<"leases"> = {
  strategy: leaseStrategy,
};
