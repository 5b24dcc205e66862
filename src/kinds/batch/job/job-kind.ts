import { fieldLabelNotSupportedFor } from "../../../apimachinery/selectors/field-labels.ts";
import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const jobKind: KindDefinition = builtInKind({
  group: "batch",
  resource: "jobs",
  kind: "Job",
  fieldSelectors: {
    paths: { "status.successful": "status.succeeded" },
    zeroValues: { "status.succeeded": "0" },
    unsupported: fieldLabelNotSupportedFor("Job"),
  },
  printer: async () => (await import("./job-printer.ts")).jobPrinter,
  podTemplate: ["spec", "template"],
  rules: async () => (await import("./job-rules.ts")).jobRules,
});
