import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { csiNodeStrategy } from "./csi-node-strategy.ts";

export const csiNodeRules: BuiltInRules<"csinodes"> = {
  strategy: csiNodeStrategy,
};
