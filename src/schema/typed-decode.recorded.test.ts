import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DecodeError } from "../apimachinery/decode-error.ts";
import { catalogOf } from "../catalog/catalog.ts";
import { readJson } from "../codec/json/json.ts";
import { readYaml } from "../codec/yaml/yaml.ts";
import { decodeInto } from "./typed-decode.ts";

const folder = "test/conformance/golden";
const catalog = catalogOf({ release: "1.32" });

interface Refusal {
  readonly name: string;
  readonly path: string;
  readonly body: string;
  readonly isYaml: boolean;
  readonly kind: string;
  readonly error: string;
}

/** The requests that a real server refused with decoding errors. */
function refusals(): Refusal[] {
  const found: Refusal[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
    for (const line of readFileSync(`${folder}/${file}`, "utf8").trim().split("\n")) {
      const { n, req, res } = JSON.parse(line);
      const match = /^(\w+) in version "\w+" cannot be handled as a \1: (.*)$/.exec(res.body?.message ?? "");
      if (match === null || /: no kind|unknown conversion/.test(res.body.message)) continue;
      const body = typeof req.body === "string" ? req.body : JSON.stringify(req.body);
      const isYaml = req.headers?.["Content-Type"] === "application/yaml";
      const [, kind = "", error = ""] = match;
      // Custom resources have schemas of their own.
      if (catalog.kind({ ...groupVersion(req.path), kind }) === undefined && file === "crd.jsonl") continue;
      found.push({ name: `${file} ${n}`, path: req.path, body, isYaml, kind, error });
    }
  }
  return found;
}

/** The group and version of `/api/v1/...` or `/apis/apps/v1/...`. */
function groupVersion(path: string): { group: string; version: string } {
  const [, root, first = "", second = ""] = path.split("/");
  return root === "api" ? { group: "", version: first } : { group: first, version: second };
}

test.each(refusals().map((refusal) => [refusal.name, refusal] as const))("%s", (_name, refusal) => {
  const { path, body, isYaml, kind, error } = refusal;
  const schema = catalog.kind({ ...groupVersion(path), kind });
  if (schema === undefined) throw new Error(`no ${kind} in ${path}`);
  const decode = () => decodeInto(schema, isYaml ? readYaml(body).value : readJson(body));
  if (error.startsWith("strict decoding error: ")) {
    expect(`strict decoding error: ${decode().strictErrors.join(", ")}`).toBe(error);
  } else {
    expect(decode).toThrow(DecodeError);
    expect(decode).toThrow(error);
  }
});
