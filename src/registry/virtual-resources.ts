import type { ApiResource } from "../catalog/api-resource.ts";
import type { RegistryOptions } from "./registry-options.ts";
import type { Rest } from "./rest.ts";

/** Resources that are answered and not kept. A new one is a file and a line. */
export function virtualRest(
  _entry: ApiResource,
  _subresource: string,
  _options: RegistryOptions,
): Rest | undefined {
  return undefined;
}
