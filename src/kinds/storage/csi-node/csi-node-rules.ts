import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { csiNodeStrategy } from "./csi-node-strategy.ts";

export const csiNodeRules: KindRules<"csinodes"> = {
  strategy: csiNodeStrategy,
};
