import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { deviceClassStrategy } from "./device-class-strategy.ts";

export const deviceClassRules: KindRules<"deviceclasses"> = {
  strategy: deviceClassStrategy,
};
