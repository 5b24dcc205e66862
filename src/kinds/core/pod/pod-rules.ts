import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { podStrategy } from "./pod.ts";
import { podBindingRest } from "./pod-binding.ts";
import { podDefaults } from "./pod-defaults.ts";
import { podEphemeralContainersStrategy } from "./pod-ephemeral-containers.ts";
import { podEvictionRest } from "./pod-eviction.ts";
import { podLogRest } from "./pod-log.ts";
import { podProxyRest } from "./pod-proxy.ts";
import { podResizeStrategy } from "./pod-resize.ts";
import { podStatusStrategy } from "./pod-status.ts";
import { podAttachRest, podExecRest, podPortForwardRest } from "./pod-streams.ts";

export const podRules: BuiltInRules<"pods"> = {
  strategy: podStrategy,
  versions: {
    v1: { defaults: podDefaults },
  },
  subresources: {
    attach: { rest: podAttachRest },
    binding: { rest: podBindingRest },
    ephemeralcontainers: { strategy: podEphemeralContainersStrategy },
    eviction: { rest: podEvictionRest },
    exec: { rest: podExecRest },
    log: { rest: podLogRest },
    portforward: { rest: podPortForwardRest },
    proxy: { rest: podProxyRest },
    resize: {
      strategy: podResizeStrategy,
      ownedFields: ["spec.containers.*.resources", "spec.containers.*.resizePolicy"],
    },
    status: { strategy: podStatusStrategy },
  },
};
