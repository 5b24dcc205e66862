import type { JsonObject, KubeObject } from "../../src/index.ts";

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1: JsonObject;
}

/** The fields of an object by owner, without times: `kubectl Apply` or `kubectl Update scale`. */
export function fieldOwners({ metadata }: KubeObject): { readonly [owner: string]: JsonObject } {
  // A server writes no other values.
  const entries = (metadata["managedFields"] ?? []) as unknown as readonly Entry[];
  return Object.fromEntries(
    entries.map(({ manager, operation, subresource, fieldsV1 }) => [
      [manager, operation, subresource].filter((part) => part !== undefined).join(" "),
      fieldsV1,
    ]),
  );
}
