import type { JsonObject } from "../../apimachinery/json.ts";
import type { ApiView } from "../api-view.ts";
import { type AggregatedDiscovery, aggregatedDiscovery } from "./aggregated-discovery.ts";
import { apiResourceList } from "./discovery-documents.ts";
import { type DiscoveryGroup, type DiscoveryVersion, discoveryGroups } from "./discovery-group.ts";

/** The discovery documents of a view of the API, each made when it is first needed. */
export class Discovery {
  readonly groups: readonly DiscoveryGroup[];
  readonly #view: ApiView;
  readonly #resourceLists = new Map<DiscoveryVersion, JsonObject>();
  #core: AggregatedDiscovery | undefined;
  #named: AggregatedDiscovery | undefined;

  constructor(view: ApiView) {
    this.#view = view;
    this.groups = view.derived(discoveryGroups);
  }

  /** The APIResourceList of a version. */
  resourceList(group: DiscoveryGroup, version: DiscoveryVersion): JsonObject {
    const known = this.#resourceLists.get(version) ?? apiResourceList(group, version);
    this.#resourceLists.set(version, known);
    return known;
  }

  /** The aggregated document of `/api`, which has the core group, or of `/apis`, which has the others. */
  aggregated(root: "api" | "apis"): AggregatedDiscovery {
    if (root === "api") {
      this.#core ??= this.#aggregate(({ name }) => name === "");
      return this.#core;
    }
    this.#named ??= this.#aggregate(({ name }) => name !== "");
    return this.#named;
  }

  #aggregate(isBelow: (group: DiscoveryGroup) => boolean): AggregatedDiscovery {
    return aggregatedDiscovery(this.groups.filter(isBelow), this.#view.release);
  }
}

/** The discovery documents of a view; the same object for the same view. */
export function discoveryOf(view: ApiView): Discovery {
  return view.derived(createDiscovery);
}

function createDiscovery(view: ApiView): Discovery {
  return new Discovery(view);
}
