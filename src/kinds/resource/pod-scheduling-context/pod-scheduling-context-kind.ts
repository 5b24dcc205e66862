import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const podSchedulingContextKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "podschedulingcontexts",
  kind: "PodSchedulingContext",
  printer: async () => (await import("./pod-scheduling-context-printer.ts")).podSchedulingContextPrinter,
});
