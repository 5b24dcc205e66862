import { catalogOf } from "../src/catalog/catalog.ts";
import { builtInKinds } from "../src/kinds/kinds.ts";
import type { KindDefinition } from "../src/registry/contract/kind-definition.ts";
import { ApiView } from "../src/served/api-view.ts";

/** The served API of a cluster without kinds that were declared at run time. */
export function viewOf(options: Parameters<typeof catalogOf>[0]): ApiView<KindDefinition> {
  return catalogOf(options).derived(builtInView);
}

function builtInView(catalog: ReturnType<typeof catalogOf>): ApiView<KindDefinition> {
  return ApiView.ofRelease(catalog, builtInKinds);
}
