import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { csiNodePrinter } from "./csi-node-printer.ts";
import { csiNodeStrategy } from "./csi-node-strategy.ts";

export const csiNodeRules: BuiltInRules<"csinodes"> = {
  printer: csiNodePrinter,
  strategy: csiNodeStrategy,
};
