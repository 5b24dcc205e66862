import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { ipAddressPrinter } from "./ip-address-printer.ts";
import { ipAddressStrategy } from "./ip-address-strategy.ts";

export const ipAddressRules: BuiltInRules<"ipaddresses"> = {
  printer: ipAddressPrinter,
  strategy: ipAddressStrategy,
};
