import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { serviceCidrPrinter } from "./service-cidr-printer.ts";
import { serviceCidrStrategy } from "./service-cidr-strategy.ts";

export const serviceCidrRules: BuiltInRules<"servicecidrs"> = {
  printer: serviceCidrPrinter,
  strategy: serviceCidrStrategy,
};
