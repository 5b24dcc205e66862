import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { ipAddressStrategy } from "./ip-address-strategy.ts";

export const ipAddressRules: BuiltInRules<"ipaddresses"> = {
  strategy: ipAddressStrategy,
};
