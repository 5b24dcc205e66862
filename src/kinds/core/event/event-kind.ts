import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const eventKind: KindDefinition = builtInKind({
  group: "",
  resource: "events",
  kind: "Event",
  cohabitants: {
    "events.k8s.io": {
      fieldAliases: {
        "regarding.kind": "involvedObject.kind",
        "regarding.namespace": "involvedObject.namespace",
        "regarding.name": "involvedObject.name",
        "regarding.uid": "involvedObject.uid",
        "regarding.apiVersion": "involvedObject.apiVersion",
        "regarding.resourceVersion": "involvedObject.resourceVersion",
        "regarding.fieldPath": "involvedObject.fieldPath",
        reportingController: "reportingComponent",
      },
    },
  },
  fieldSelectors: { paths: { source: ["source.component", "reportingComponent"] } },
  printer: async () => (await import("./event-printer.ts")).eventPrinter,
  rules: async () => (await import("./event-rules.ts")).eventRules,
});
