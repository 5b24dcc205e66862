import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import type { KindSource } from "../../../served/served-api.ts";

type Code = typeof import("./custom-resource-kind.ts");

/** The kinds that the CustomResourceDefinitions of a cluster declare. Their code is loaded with the first definition. */
export function customResources(): KindSource<KindDefinition> {
  let code: Code | undefined;
  return {
    resource: { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" },
    kindsOf: (definitions, catalog) => {
      const kindOf = code && catalog.derived(code.customResourceKinds);
      return definitions.map((one) => kindOf?.(one)).filter((kind) => kind !== undefined);
    },
    load: async () => {
      code ??= await import("./custom-resource-kind.ts");
    },
  };
}
