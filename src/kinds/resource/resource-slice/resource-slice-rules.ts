import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { resourceSliceStrategy } from "./resource-slice-strategy.ts";

export const resourceSliceRules: KindRules<"resourceslices"> = {
  strategy: resourceSliceStrategy,
};
