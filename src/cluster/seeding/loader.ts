import { messageOf } from "../../apimachinery/errors/message-of.ts";
import { InitialObjectsError } from "./located-error.ts";
import type { Manifest, ManifestText } from "./manifest.ts";
import type { SeedingEnvironment, SeedingOptions } from "./seeding.ts";

/** Loads objects into a cluster. */
export interface Loader {
  /** @throws {Error} that names the source of the object */
  readonly load: (entries: readonly (Manifest | ManifestText)[], options: SeedingOptions) => Promise<void>;
  /** Loads the initial objects of the cluster, and returns their manifests. @throws {InitialObjectsError} */
  readonly loadInitial: (
    entries: readonly (Manifest | ManifestText)[],
    options: Pick<SeedingOptions, "onUnknown">,
  ) => Promise<readonly Manifest[]>;
}

/** Loads objects through the registry of this server. The code is loaded on demand: many clusters start empty. */
export function loader(environment: SeedingEnvironment): Loader {
  const seed = async (entries: readonly (Manifest | ManifestText)[], options: SeedingOptions) => {
    if (entries.length === 0) return [];
    const [manifests, { seedObjects }] = await Promise.all([parsed(entries), import("./seeding.ts")]);
    await seedObjects(manifests, options, environment);
    return manifests;
  };
  return {
    load: async (entries, options) => {
      await seed(entries, options);
    },
    loadInitial: async (entries, { onUnknown }) => {
      try {
        return await seed(entries, { onUnknown, identity: "given" });
      } catch (error) {
        const message = messageOf(error);
        throw new InitialObjectsError(message, { cause: error });
      }
    },
  };
}

/** The parsers are loaded only if an entry is text. */
async function parsed(entries: readonly (Manifest | ManifestText)[]): Promise<readonly Manifest[]> {
  if (entries.every((entry) => "object" in entry)) return entries;
  const { parseEntries } = await import("./manifest-text.ts");
  return parseEntries(entries);
}
