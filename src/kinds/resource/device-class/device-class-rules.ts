import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { deviceClassPrinter } from "./device-class-printer.ts";
import { deviceClassStrategy } from "./device-class-strategy.ts";

export const deviceClassRules: BuiltInRules<"deviceclasses"> = {
  printer: deviceClassPrinter,
  strategy: deviceClassStrategy,
};
