import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { controllerRevisionPrinter } from "./controller-revision-printer.ts";
import { controllerRevisionStrategy } from "./controller-revision-strategy.ts";

export const controllerRevisionRules: BuiltInRules<"controllerrevisions"> = {
  printer: controllerRevisionPrinter,
  strategy: controllerRevisionStrategy,
};
