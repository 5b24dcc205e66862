import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { resourcePrinters } from "../../printers/resource.ts";

export const podSchedulingContextKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "podschedulingcontexts",
  kind: "PodSchedulingContext",
  printer: resourcePrinters["podschedulingcontexts"],
});
