import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { controllerRevisionStrategy } from "./controller-revision-strategy.ts";

export const controllerRevisionRules: BuiltInRules<"controllerrevisions"> = {
  strategy: controllerRevisionStrategy,
};
