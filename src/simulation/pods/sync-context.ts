import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { LifeScripts } from "../contract/scripted-life.ts";

/** The dependencies of a sync. */
export interface SyncContext {
  readonly lister: Lister;
  readonly node: KubeObject;
  readonly gates: FeatureGates;
  readonly scripts: LifeScripts;
  /** In milliseconds since the epoch. */
  readonly now: number;
  /** A new identity of a container. */
  readonly newId: () => string;
  /** The address for a sandbox; undefined if the node has none left. */
  readonly allocate: () => string | undefined;
  /** The images of the node. */
  readonly images: { has(image: string): boolean; add(image: string): void };
}
