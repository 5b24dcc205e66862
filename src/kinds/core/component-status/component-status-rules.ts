import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { componentStatusRest } from "./component-status.ts";

export const componentStatusRules: BuiltInRules<"componentstatuses"> = {
  rest: componentStatusRest,
};
