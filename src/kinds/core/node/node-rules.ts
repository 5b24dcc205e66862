import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { nodeStatusStrategy, nodeStrategy } from "./node.ts";
import { nodeDefaults } from "./node-defaults.ts";

export const nodeRules: KindRules<"nodes"> = {
  strategy: nodeStrategy,
  versions: {
    v1: { defaults: nodeDefaults },
  },
  subresources: {
    status: { strategy: nodeStatusStrategy },
  },
};
