/** The gates that change what a client sees, and whether they are on by default in 1.32. */
const defaults: ReadonlyMap<string, boolean> = new Map([
  ["APIResponseCompression", true],
  ["CBORServingAndStorage", false],
  ["ServiceAccountTokenNodeBinding", true],
]);

/** Which gates are open. */
export interface FeatureGates {
  /** Gates that nothing here depends on are closed. */
  readonly isEnabled: (name: string) => boolean;
}

/** The gates with those that were set by hand. */
export function featureGates(set: ReadonlyMap<string, boolean>): FeatureGates {
  return { isEnabled: (name) => set.get(name) ?? defaults.get(name) ?? false };
}
