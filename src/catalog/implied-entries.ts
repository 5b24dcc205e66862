import type { CatalogFile, ResourceEntry, SubresourceEntry, TypeEntry } from "./catalog-file.ts";

type Packed<T, K extends keyof T> = Omit<T, K> & { -readonly [key in K]?: T[key] };
type PackedResource = Omit<Packed<ResourceEntry, "singular" | "verbs">, "subresources"> & {
  readonly subresources?: Record<string, Packed<SubresourceEntry, "kind" | "verbs">>;
};

/** A file of the catalog as `tools/packers/catalog.mjs` packs it: without what follows from the rest. */
interface PackedFile extends Omit<CatalogFile, "resources" | "types"> {
  readonly resources?: Record<string, PackedResource>;
  readonly types: Record<string, Packed<TypeEntry, "typeMeta" | "fields">>;
}

const usualVerbs: readonly string[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];
const usualVerbsOfParts: readonly string[] = ["get", "patch", "update"];

/** A file of the catalog with what the packer left out. */
export function readFile(text: string): CatalogFile {
  const file: PackedFile = JSON.parse(text);
  const { resources = {}, types } = file;
  for (const resource of Object.values(resources)) {
    resource.singular ??= resource.kind.toLowerCase();
    resource.verbs ??= usualVerbs;
    for (const part of Object.values(resource.subresources ?? {})) {
      part.kind ??= resource.kind;
      part.verbs ??= usualVerbsOfParts;
    }
  }
  for (const name in types) {
    const type = types[name];
    if (type === undefined || type.fields !== undefined) continue;
    type.typeMeta = true;
    type.fields = `metadata:meta/v1.ListMeta+ items:[]${name.slice(0, -"List".length)}!`;
  }
  // The files are our own data, and complete now; catalog.test.ts resolves every entry of every release.
  return file as CatalogFile;
}
