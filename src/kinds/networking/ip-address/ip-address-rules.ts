import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { ipAddressStrategy } from "./ip-address-strategy.ts";

export const ipAddressRules: KindRules<"ipaddresses"> = {
  strategy: ipAddressStrategy,
};
