// None of these files exists: `tools/packed-files.mjs` lists what makes their texts during a build or a test run.
import catalog from "./generated/catalog.txt?raw";
import index from "./generated/index.json?raw";
import resourceFacts from "./generated/resource-facts.json?raw";

/** What each release serves, without types, as `tools/packers/catalog-index.mjs` packs it. */
export const builtinIndex: string = index;

/** The facts of the resources of 1.32 that are not in the catalog's files, as `tools/packers/resource-facts.mjs` packs them. */
export const builtinResourceFacts: string = resourceFacts;

/** The catalog's files, as `tools/packers/catalog.mjs` packs them. */
export const builtinCatalog: string = catalog;
