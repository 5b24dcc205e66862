import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { jobDefaults } from "./job-defaults.ts";
import { jobStatusStrategy, jobStrategy } from "./job-strategy.ts";

export const jobRules: KindRules<"jobs"> = {
  strategy: jobStrategy,
  versions: {
    "batch/v1": { defaults: jobDefaults },
  },
  subresources: {
    status: { strategy: jobStatusStrategy },
  },
};
