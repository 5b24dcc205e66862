import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { controllerRevisionStrategy } from "./controller-revision-strategy.ts";

export const controllerRevisionRules: KindRules<"controllerrevisions"> = {
  strategy: controllerRevisionStrategy,
};
