import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { componentStatusRest } from "./component-status.ts";
import { componentStatusPrinter } from "./component-status-printer.ts";

export const componentStatusRules: BuiltInRules<"componentstatuses"> = {
  printer: componentStatusPrinter,
  rest: componentStatusRest,
};
