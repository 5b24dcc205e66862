import { DecodeError } from "../../apimachinery/decode-error.ts";
import { decodeUtf8, isUtf8 } from "../../apimachinery/go/go-utf8.ts";
import { type ParsedJson, plainJson } from "../../apimachinery/go/parsed-json.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import { type Converted, convert } from "./convert.ts";
import { YamlProblem } from "./cursor.ts";
import { emit } from "./emitter.ts";
import { jsonDocument } from "./json-document.ts";
import type { YamlNode } from "./node.ts";
import { GrammarProblem, Parser } from "./parser.ts";

/** A YAML body as JSON. */
export interface ReadYaml {
  readonly value: ParsedJson;
  /** At most one error, for all duplicate keys: `yaml: unmarshal errors:\n  line 7: key "a" already set in map`. */
  readonly strictErrors: readonly string[];
}

/**
 * Parses the first document of a body, by the rules of YAML 1.1 as implemented in Go's yaml.v2. Keys are sorted.
 * @throws {DecodeError} with the text of Go's decoders: `yaml: line 3: did not find expected key`
 */
export function readYaml(body: string | Uint8Array): ReadYaml {
  const { value, duplicates } = readDocument(body);
  const strictErrors = duplicates.length === 0 ? [] : [unmarshalErrors + duplicates.join("\n  ")];
  return { value, strictErrors };
}

/**
 * Parses the first document of a body without a schema. Of duplicate keys, the last counts.
 * @throws {DecodeError} with the text of Go's decoders
 */
export function parseYaml(body: string | Uint8Array): JsonValue {
  return plainJson(readDocument(body).value);
}

/** A value as YAML, as sigs.k8s.io/yaml writes it: keys are sorted, lists have the indent of their key. */
export function encodeYaml(value: JsonValue): string {
  return emit(value);
}

const unmarshalErrors = "yaml: unmarshal errors:\n  ";

function readDocument(body: string | Uint8Array): Converted {
  const text = textOf(body);
  const json = jsonDocument(text);
  if (json !== undefined) return { value: json, duplicates: [] };
  const root = parse(text);
  return root === undefined ? { value: null, duplicates: [] } : convert(root);
}

function textOf(body: string | Uint8Array): string {
  if (typeof body === "string") return body.replace(/^\ufeff/, "");
  if (!isUtf8(body)) throw new DecodeError("yaml: invalid leading UTF-8 octet");
  return decodeUtf8(body).replace(/^\ufeff/, "");
}

/** Characters that YAML forbids: control characters and unpaired surrogates. */
const FORBIDDEN = /[^\t\n\r\x20-\x7e\x85\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** Upstream reads this many characters ahead, and reports forbidden characters there before other errors. */
const READ_AHEAD = 512;

function parse(text: string): YamlNode | undefined {
  const forbidden = text.search(FORBIDDEN);
  const parser = new Parser(forbidden < 0 ? text : text.slice(0, forbidden));
  try {
    const root = parser.document();
    if (forbidden < 0) return root;
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error;
    if (forbidden < 0 || parser.position + READ_AHEAD < forbidden) throw new DecodeError(describe(error));
  }
  throw new DecodeError("yaml: control characters are not allowed");
}

/** As upstream: errors on the first line have no line number, and grammar errors have the number of the line before. */
function describe(problem: YamlProblem): string {
  if (problem.line === 0) return `yaml: ${problem.message}`;
  const line = problem instanceof GrammarProblem ? problem.line : problem.line + 1;
  return `yaml: line ${line}: ${problem.message}`;
}
