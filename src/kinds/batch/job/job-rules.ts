import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { withTemplateHostPorts } from "../../pod-spec/defaults/host-ports.ts";
import { jobDefaults } from "./job-defaults.ts";
import { jobStatusStrategy, jobStrategy } from "./job-strategy.ts";

export const jobRules: BuiltInRules<"jobs"> = {
  strategy: jobStrategy,
  versions: {
    "batch/v1": { defaults: withTemplateHostPorts(jobDefaults, "spec", "template") },
  },
  subresources: {
    status: { strategy: jobStatusStrategy },
  },
};
