import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { nodeStatusStrategy, nodeStrategy } from "./node.ts";
import { nodeDefaults } from "./node-defaults.ts";
import { nodeProxyRest } from "./node-proxy.ts";

export const nodeRules: BuiltInRules<"nodes"> = {
  strategy: nodeStrategy,
  versions: {
    v1: { defaults: nodeDefaults },
  },
  subresources: {
    proxy: { rest: nodeProxyRest },
    status: { strategy: nodeStatusStrategy },
  },
};
