import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { configMapStrategy } from "./config-map.ts";

export const configMapRules: BuiltInRules<"configmaps"> = {
  strategy: configMapStrategy,
};
