import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { serviceCidrStrategy } from "./service-cidr-strategy.ts";

export const serviceCidrRules: BuiltInRules<"servicecidrs"> = {
  strategy: serviceCidrStrategy,
};
