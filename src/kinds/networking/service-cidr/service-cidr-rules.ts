import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { serviceCidrStrategy } from "./service-cidr-strategy.ts";

export const serviceCidrRules: KindRules<"servicecidrs"> = {
  strategy: serviceCidrStrategy,
};
