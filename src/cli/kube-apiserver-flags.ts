import type { Flag } from "./flag-set.ts";
import type { FlagType } from "./flag-types.ts";
import text from "./kube-apiserver-flags.json?raw";

/** Every flag of kube-apiserver 1.32, including hidden and deprecated ones, and those of later releases that work here. */
export function kubeApiserverFlags(): Flag[] {
  // Our own data file: flag name to type.
  const types = JSON.parse(text) as { readonly [name: string]: FlagType };
  return Object.entries(types).map(([name, type]) =>
    name === "v" ? { name, type, shorthand: "v" } : { name, type },
  );
}
