import { InitialObjectsError } from "./located-error.ts";
import type { Manifest, ManifestText } from "./manifest.ts";
import type { SeedingEnvironment, SeedingOptions } from "./seeding.ts";

/** Loads objects into a cluster. */
export interface Loader {
  /** @throws {Error} that names the source of the object */
  readonly load: (entries: readonly (Manifest | ManifestText)[], options: SeedingOptions) => Promise<void>;
  /** Loads the initial objects of the cluster. @throws {InitialObjectsError} */
  readonly loadInitial: (
    entries: readonly (Manifest | ManifestText)[],
    options: Pick<SeedingOptions, "onUnknown">,
  ) => Promise<void>;
}

/** Loads objects through the registry of this server. The code is loaded on demand: many clusters start empty. */
export function loader(environment: SeedingEnvironment): Loader {
  const load: Loader["load"] = async (entries, options) => {
    if (entries.length === 0) return;
    const [{ parseEntries }, { seedObjects }] = await Promise.all([
      import("./manifest-text.ts"),
      import("./seeding.ts"),
    ]);
    await seedObjects(parseEntries(entries), options, environment);
  };
  return {
    load,
    loadInitial: async (entries, { onUnknown }) => {
      try {
        await load(entries, { onUnknown, identity: "given" });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        throw new InitialObjectsError(message, { cause: error });
      }
    },
  };
}
