import type { GroupVersionResource } from "../src/apimachinery/group-version.ts";
import type { Release } from "../src/apimachinery/release.ts";
import type { Printer } from "../src/codec/tables/printer.ts";
import { Kinds } from "../src/registry/kinds.ts";
import { printerOf } from "../src/registry/table-shape.ts";
import { viewOf } from "./api-view.ts";

const kinds = new Kinds({ current: viewOf({ release: "1.32" }) });

/** The printer of a built-in kind in a release, if it has one. */
export async function builtInPrinter(
  resource: GroupVersionResource,
  release: Release,
): Promise<Printer | undefined> {
  await kinds.load(resource);
  return printerOf(kinds.rulesOf(resource), release, resource.version);
}
