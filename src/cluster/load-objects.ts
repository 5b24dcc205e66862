import { checkOptions, type OptionTypes } from "../apimachinery/option-checks.ts";
import { oneOf } from "../apimachinery/option-types.ts";
import type { LoadOptions } from "./method-options.ts";
import { type Manifests, manifestEntries } from "./seeding/manifest.ts";
import type { Server } from "./server.ts";

const loadOptionTypes: OptionTypes = { onUnknown: oneOf("error", "skip") };

/** Loads objects into a running server. @throws {Error} that names the entry */
export async function loadObjects(
  objects: Manifests,
  options: LoadOptions,
  started: () => Promise<Server>,
): Promise<void> {
  checkOptions("load", options, loadOptionTypes);
  const { onUnknown = "error" } = options;
  const entries = manifestEntries(objects, "objects");
  const { load } = await started();
  await load(entries, { onUnknown, identity: "current" });
}
