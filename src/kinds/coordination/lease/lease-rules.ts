import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { leaseStrategy } from "./lease-strategy.ts";

export const leaseRules: KindRules<"leases"> = {
  strategy: leaseStrategy,
};
