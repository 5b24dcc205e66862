import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { GroupVersionKind } from "../../../src/apimachinery/group-version.ts";
import { catalogOf } from "../../../src/catalog/catalog.ts";
import { encodePrettyJson, readJson } from "../../../src/codec/json/json.ts";
import { decodeProtobuf, encodeProtobuf } from "../../../src/codec/protobuf/protobuf.ts";
import { encodeYaml, readYaml } from "../../../src/codec/yaml/yaml.ts";
import { builtInSchema } from "../../../src/schema/built-in-schema.ts";
import { filledObject } from "./filled-object.ts";

/*
 * Upstream publishes an object of every kind of a release as JSON, YAML and protobuf (kubernetes/api, testdata/HEAD). The
 * objects follow a rule, so they are made here by the same rule; `digests.txt`, written by tools/published-digests.mjs, shows
 * that each has the very bytes that are published.
 */
const releases = ["1.27", "1.28", "1.29", "1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36"] as const;

type Release = (typeof releases)[number];

interface Digests {
  readonly release: string;
  readonly json: string;
  readonly yaml: string;
  readonly protobuf: string;
}

/** The published objects by the name of their files, oldest release first; one without digests ends the kind. */
const published = readPublished();

function readPublished(): ReadonlyMap<string, readonly Digests[]> {
  const kinds = new Map<string, Digests[]>();
  for (const line of readFileSync(new URL("digests.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")) {
    const [kind = "", release = "", json = "", yaml = "", protobuf = ""] = line.split(" ");
    const versions = kinds.get(kind) ?? [];
    versions.push({ release, json, yaml, protobuf });
    kinds.set(kind, versions);
  }
  return kinds;
}

/** `apps.v1.Deployment`, `rbac.authorization.k8s.io.v1.Role`. */
function gvkOf(name: string): GroupVersionKind {
  const parts = name.split(".");
  const group = parts.slice(0, -2).join(".");
  return { group: group === "core" ? "" : group, version: parts.at(-2) ?? "", kind: parts.at(-1) ?? "" };
}

function digestOf(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 12);
}

describe.each(releases)("of %s", (release) => {
  const catalog = catalogOf({ release });
  const kinds = [...published].flatMap(([name, versions]) => {
    const digests = versions.findLast(
      (version) => releases.indexOf(version.release as Release) <= releases.indexOf(release),
    );
    return digests === undefined || digests.json === "" ? [] : [{ name, digests }];
  });

  test("every published kind has the published JSON, YAML and protobuf, and is read back from each", () => {
    expect(kinds.length).toBeGreaterThan(150);
    const differing = kinds.flatMap(({ name, digests }) => {
      const gvk = gvkOf(name);
      const struct = catalog.kind(gvk);
      if (struct === undefined) return [`${name} is not in the catalog`];
      const object = filledObject(gvk, struct);
      const different: string[] = [];
      const json = encodePrettyJson(object);
      if (digestOf(json) !== digests.json) different.push("JSON");
      const bytes = encodeProtobuf(struct, object);
      if (digestOf(bytes) !== digests.protobuf) different.push("protobuf");
      // Objects that an earlier release has as well need no second comparison in the slow formats.
      if (digests.release === release) {
        const yaml = encodeYaml(object);
        if (digestOf(yaml) !== digests.yaml) different.push("YAML");
        const schema = builtInSchema(struct);
        const read = {
          "read JSON": schema.decode(readJson(json)).object,
          "read YAML": schema.decode(readYaml(yaml).value).object,
          "read protobuf": decodeProtobuf(bytes, (asked) => catalog.kind(asked), gvk).object,
        };
        for (const [format, found] of Object.entries(read)) {
          if (encodePrettyJson(schema.canonicalize(found)) !== json) different.push(format);
        }
      }
      return different.length === 0 ? [] : [`${name}: ${different.join(", ")}`];
    });
    expect(differing).toEqual([]);
  });
});
