import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

/** A PodSchedulingContext of 1.26, whose name later releases changed. */
export const podSchedulingKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "podschedulings",
  kind: "PodScheduling",
  printer: async () => (await import("./pod-scheduling-context-printer.ts")).podSchedulingContextPrinter,
  rules: async () => (await import("./pod-scheduling-context-rules.ts")).podSchedulingRules,
});

export const podSchedulingContextKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "podschedulingcontexts",
  kind: "PodSchedulingContext",
  printer: async () => (await import("./pod-scheduling-context-printer.ts")).podSchedulingContextPrinter,
  rules: async () => (await import("./pod-scheduling-context-rules.ts")).podSchedulingContextRules,
});
