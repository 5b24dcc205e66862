import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { deviceClassStrategy } from "./device-class-strategy.ts";

export const deviceClassRules: BuiltInRules<"deviceclasses"> = {
  strategy: deviceClassStrategy,
};
