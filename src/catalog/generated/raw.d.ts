/** A data file as text; the bundler and Vitest resolve the suffix. */
declare module "*.json?raw" {
  const text: string;
  export default text;
}

declare module "*.txt?raw" {
  const text: string;
  export default text;
}
