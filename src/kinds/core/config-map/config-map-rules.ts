import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { configMapStrategy } from "./config-map.ts";
import { configMapPrinter } from "./config-map-printer.ts";

export const configMapRules: BuiltInRules<"configmaps"> = {
  printer: configMapPrinter,
  strategy: configMapStrategy,
};
