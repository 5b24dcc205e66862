import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { resourceSliceStrategy } from "./resource-slice-strategy.ts";

export const resourceSliceRules: BuiltInRules<"resourceslices"> = {
  strategy: resourceSliceStrategy,
};
