import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { deviceTaintRulePrinter } from "./device-taint-rule-printer.ts";

export const deviceTaintRuleRules: BuiltInRules<"devicetaintrules"> = {
  printer: deviceTaintRulePrinter,
};
