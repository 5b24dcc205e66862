/** A data file as text; the bundler and Vitest resolve the suffix with `tools/raw-text.mjs`. */
declare module "*.json?raw" {
  const text: string;
  export default text;
}

declare module "*.txt?raw" {
  const text: string;
  export default text;
}
