import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { jobDefaults } from "./job-defaults.ts";
import { jobStatusStrategy, jobStrategy } from "./job-strategy.ts";

export const jobRules: BuiltInRules<"jobs"> = {
  strategy: jobStrategy,
  versions: {
    "batch/v1": { defaults: jobDefaults },
  },
  subresources: {
    status: { strategy: jobStatusStrategy },
  },
};
