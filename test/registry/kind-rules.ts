import { formatGroupVersion, type GroupVersionKind } from "../../src/apimachinery/group-version.ts";
import { catalogOf } from "../../src/catalog/catalog.ts";
import { builtInKinds } from "../../src/kinds/kinds.ts";
import type { Defaulting, KindDefinition } from "../../src/registry/contract/kind-definition.ts";
import { Kinds } from "../../src/registry/kinds.ts";
import { viewOf } from "../api-view.ts";

/** The built-in kinds with all their rules loaded. */
export const kinds: Kinds = new Kinds({ current: viewOf({ release: "1.32" }) });
await Promise.all(builtInKinds.map((definition) => kinds.load(definition)));

const defaultings = new Map<string, Defaulting>(builtInKinds.flatMap(defaultingsOf));

/** The defaulting of a version of a kind; undefined without defaults. */
export function defaultingOf(gvk: GroupVersionKind): Defaulting | undefined {
  return defaultings.get(`${formatGroupVersion(gvk)}/${gvk.kind}`);
}

function defaultingsOf(definition: KindDefinition): [string, Defaulting][] {
  const { versions = {}, subresources = {} } = kinds.rulesOf(definition);
  const own = Object.entries(versions).map(
    ([version, rules]) => [`${version}/${definition.kind}`, rules?.defaults] as const,
  );
  const others = Object.entries(subresources).flatMap(([name, rules]) =>
    Object.entries(rules?.defaults ?? {}).map(
      ([version, defaults]) => [`${version}/${kindOf(definition, name)}`, defaults] as const,
    ),
  );
  return [...own, ...others].flatMap(([key, defaults]) => (defaults === undefined ? [] : [[key, defaults]]));
}

/** The kind of a subresource, if that is another kind. */
function kindOf({ group, resource }: KindDefinition, subresource: string): string {
  const catalog = catalogOf({ release: "1.32" });
  const served = catalog.groupVersions().filter((gv) => gv.group === group);
  const found = served.map((gv) => catalog.resource({ ...gv, resource })?.subresources.get(subresource));
  return found.find((one) => one !== undefined)?.gvk.kind ?? "";
}
