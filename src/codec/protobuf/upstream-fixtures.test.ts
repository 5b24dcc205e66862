import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import { type Catalog, catalogOf } from "../../catalog/catalog.ts";
import { parseJson } from "../json/json.ts";
import { decodeProtobuf, encodeProtobuf } from "./protobuf.ts";

/*
 * Upstream has an encoded object of every kind in `testdata` of the repositories kubernetes/api and
 * kubernetes/apiextensions-apiserver. Set such a directory to compare the codec with it. Its parts are decoded with
 * the catalog of the release in their path, `HEAD` with the newest. A second release in the path created the fixtures
 * (`v1.32.0/`, or `1.36/v1.34.0/` for old fixtures as 1.36 reads and writes them).
 */
const testdata = process.env.KUBERNETES_API_TESTDATA;
const oldest = "1.16";
const newest = "1.36";

interface Fixture {
  readonly file: string;
  readonly gvk: GroupVersionKind;
}

if (testdata === undefined) {
  test.skip("upstream's fixtures round-trip (skipped: KUBERNETES_API_TESTDATA names no directory)");
} else {
  describe.each(directories(testdata))("%s", (directory) => {
    const [release = newest, made = release] = [...relative(testdata, directory).matchAll(/1\.\d+/g)].map(
      String,
    );
    if (Number(release.slice(2)) < Number(oldest.slice(2))) {
      test.skip(`older than the catalog, which begins with ${oldest}`);
      return;
    }
    const catalog = catalogOf({ release });
    const settled = made === release ? asItIs : afterRoundTrip;
    test.for(fixtures(directory))(
      "$file reads as the JSON beside it and is written as it was",
      (fixture, { skip }) => {
        const stale = roundTrip(directory, fixture, catalog, settled);
        if (stale !== undefined) skip(stale);
      },
    );
  });
}

/** The reason to skip a file: upstream kept files of removed kinds, and one has a wrong name. */
function roundTrip(
  directory: string,
  { file, gvk }: Fixture,
  catalog: Catalog,
  settled: (path: string) => string,
): string | undefined {
  const schema = catalog.kind(gvk);
  if (schema === undefined) return `${catalog.release} has no such kind`;
  const path = join(directory, file);
  const { gvk: found, object } = decodeProtobuf(readFileSync(path), (asked) => catalog.kind(asked), gvk);
  if (found.version !== gvk.version) return `it is of version ${found.version}`;
  expect(object).toEqual(parseJson(readFileSync(settled(path.replace(/\.pb$/, ".json")))));
  // As text, because a difference between thousands of numbers is unreadable.
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
  expect(text(encodeProtobuf(schema, object))).toBe(text(readFileSync(settled(path))));
  return undefined;
}

function asItIs(path: string): string {
  return path;
}

/** The expected output of a newer release for an old fixture, where it differs. */
function afterRoundTrip(path: string): string {
  const after = path.replace(/\.(json|pb)$/, ".after_roundtrip.$1");
  return existsSync(after) ? after : path;
}

function directories(root: string): string[] {
  const entries = readdirSync(root, { withFileTypes: true });
  const nested = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => directories(join(root, name)));
  return entries.some(({ name }) => name.endsWith(".pb")) ? [root, ...nested] : nested;
}

function fixtures(directory: string): Fixture[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith(".pb") && !file.includes("after_roundtrip"))
    .map((file) => ({ file, gvk: gvkOf(file) }));
}

/** `apps.v1.Deployment.pb`, `rbac.authorization.k8s.io.v1.Role.pb`. */
function gvkOf(file: string): GroupVersionKind {
  const parts = file.replace(/\.pb$/, "").split(".");
  const group = parts.slice(0, -2).join(".");
  return { group: group === "core" ? "" : group, version: parts.at(-2) ?? "", kind: parts.at(-1) ?? "" };
}
