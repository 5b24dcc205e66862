import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { jobDefaults } from "../batch-defaults.ts";
import { jobStatusStrategy, jobStrategy } from "./job.ts";

export const jobRules: KindRules<"jobs"> = {
  strategy: jobStrategy,
  versions: {
    "batch/v1": { defaults: jobDefaults },
  },
  subresources: {
    status: { strategy: jobStatusStrategy },
  },
};
