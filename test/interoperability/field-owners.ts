import type { JsonObject, KubeObject } from "../../src/index.ts";

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1: JsonObject;
}

/** Who owns what of an object, without when: the fields by `kubectl Apply` or `kubectl Update scale`. */
export function fieldOwners({ metadata }: KubeObject): { readonly [owner: string]: JsonObject } {
  // A server writes no others.
  const entries = (metadata["managedFields"] ?? []) as unknown as readonly Entry[];
  return Object.fromEntries(
    entries.map(({ manager, operation, subresource, fieldsV1 }) => [
      [manager, operation, subresource].filter((part) => part !== undefined).join(" "),
      fieldsV1,
    ]),
  );
}
