/** The part of Jest's configuration that a preset of MSW 2 needs. */
export interface JestPreset {
  readonly transform: { readonly [pattern: string]: string };
  readonly transformIgnorePatterns: readonly string[];
}

/** The dependencies of MSW 2 that are only ES modules. */
const esmOnly = "(?:until-async|rettime|@open-draft/deferred-promise)/";

/** Also where pnpm puts packages. */
const within = "/node_modules/(?:.+/node_modules/)?";

const preset: JestPreset = {
  transform: {
    [`${within}${esmOnly}.+\\.m?js$`]: "kubedouble/jest/esm-transform",
    // Jest's default, which a preset replaces.
    "\\.[jt]sx?$": "babel-jest",
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:.+/node_modules/)?${esmOnly})`, "\\.pnp\\.[^\\/]+$"],
};

/** A preset for Jest with MSW 2: `preset: "kubedouble/jest"`. */
// biome-ignore lint/style/noDefaultExport: Jest reads the default export
export default preset;
