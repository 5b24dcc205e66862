import type { ServedApi } from "../served/served-api.ts";
import type { ResourceFinder } from "./client.ts";
import { parentResource, servedResource } from "./served-resource.ts";

/** Finds resources among those that are served at the time of the call. */
export function resourceFinder(served: ServedApi): ResourceFinder {
  return (apiVersion, kind, subresource) =>
    subresource === undefined
      ? servedResource(served.current, apiVersion, kind)
      : parentResource(served.current, apiVersion, kind, subresource);
}

/** Finds resources once nothing is missing that declares some. */
export function whenKnown(find: ResourceFinder, missing: () => Promise<void> | undefined): ResourceFinder {
  return (...kind) => {
    const waiting = missing();
    return waiting === undefined ? find(...kind) : waiting.then(() => find(...kind));
  };
}
