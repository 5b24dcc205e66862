import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { componentStatusRest } from "./component-status.ts";

export const componentStatusRules: KindRules<"componentstatuses"> = {
  rest: componentStatusRest,
};
