import type { GroupVersionResource } from "../src/apimachinery/group-version.ts";
import type { Release } from "../src/apimachinery/release.ts";
import { featureGates } from "../src/catalog/feature-gates.ts";
import type { Printer } from "../src/codec/tables/printer.ts";
import { viewOf } from "./api-view.ts";

const view = viewOf({ release: "1.32" });

/** The printer of a built-in kind in a release, if it has one. */
export async function builtInPrinter(
  resource: GroupVersionResource,
  release: Release,
): Promise<Printer | undefined> {
  return view.definitionOf(resource)?.printer?.(resource.version, featureGates(release));
}
