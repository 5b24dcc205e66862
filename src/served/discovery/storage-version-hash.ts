import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import { sha256 } from "../../apimachinery/sha.ts";

/** The `storageVersionHash` of discovery: the first bytes of a SHA-256 of group, version and kind, in base64. */
export function storageVersionHash({ group, version, kind }: GroupVersionKind): string {
  return btoa(String.fromCharCode(...sha256(`${group}/${version}/${kind}`).subarray(0, 8)));
}
