import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const deviceClassKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "deviceclasses",
  kind: "DeviceClass",
  printer: async () => (await import("./device-class-printer.ts")).deviceClassPrinter,
  rules: async () => (await import("./device-class-rules.ts")).deviceClassRules,
});
