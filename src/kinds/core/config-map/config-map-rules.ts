import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { configMapStrategy } from "./config-map.ts";

export const configMapRules: KindRules<"configmaps"> = {
  strategy: configMapStrategy,
};
