import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { resourcePrinters } from "../../printers/resource.ts";

export const resourceClassKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "resourceclasses",
  kind: "ResourceClass",
  printer: resourcePrinters["resourceclasses"],
});
