/** The types of the built-in kinds, which `npm run api` generates. */
export const builtInKindsFile = "src/catalog/generated/built-in-kinds.ts";
