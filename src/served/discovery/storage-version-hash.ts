import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import { sha256 } from "../../apimachinery/sha.ts";

/** What discovery shows of a storage version: the start of a digest of its group, version and kind. */
export function storageVersionHash({ group, version, kind }: GroupVersionKind): string {
  return btoa(String.fromCharCode(...sha256(`${group}/${version}/${kind}`).subarray(0, 8)));
}
