import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { stringify } from "yaml";
import { plainText } from "./yaml-scalars.ts";

const folder = "test/conformance/golden";
const longest = 3_000;

/** Request and response bodies recorded from a real server, as YAML. */
function recordedManifests(): readonly string[] {
  const manifests = new Set<string>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
    for (const line of readFileSync(`${folder}/${file}`, "utf8").trim().split("\n")) {
      const { req, res } = JSON.parse(line);
      if (res.headers["Content-Type"] === "application/yaml") manifests.add(res.body);
      else if (req.headers?.["Content-Type"]?.endsWith("yaml")) manifests.add(req.body);
      else if (/^[{]/.test(req.body ?? "")) manifests.add(asYaml(req.body));
    }
  }
  return [...manifests].filter((text) => text.length < longest);
}

function asYaml(json: string): string {
  try {
    return stringify(JSON.parse(json));
  } catch {
    return json;
  }
}

/** A relative position in a text. */
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const characters = fc.constantFrom(
  ..." -:#?'\"\\\n\t,[]{}&*!|>%@`~.=<0aé\r",
  "\u0085",
  "\u2028",
  "\ufeff",
  "---\n",
  "...\n",
  "<<",
  "&a ",
  "*a",
  "!!str ",
  ": ",
  "- ",
  "? ",
);

/** A small change to a text. */
type Edit = (text: string) => string;

function atLine(at: number, change: (line: string) => readonly string[]): Edit {
  return (text) => {
    const lines = text.split("\n");
    const index = Math.floor(at * lines.length);
    return lines.flatMap((line, i) => (i === index ? change(line) : [line])).join("\n");
  };
}

function insertion(at: number, inserted: string): Edit {
  return (text) => {
    const index = Math.floor(at * (text.length + 1));
    return text.slice(0, index) + inserted + text.slice(index);
  };
}

function deletion(at: number, length: number): Edit {
  return (text) => {
    const index = Math.floor(at * text.length);
    return text.slice(0, index) + text.slice(index + length);
  };
}

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(place, characters).map(([at, inserted]) => insertion(at, inserted)),
  fc.tuple(place, fc.integer({ min: 1, max: 4 })).map(([at, length]) => deletion(at, length)),
  place.map((at) => atLine(at, (line) => [line, line])),
  place.map((at) => atLine(at, () => [])),
  place.map((at) => atLine(at, (line) => [` ${line}`])),
  place.map((at) => atLine(at, (line) => [line.replace(/^ /, "")])),
  place.map((at) => atLine(at, (line) => [line.replace(" ", "\t")])),
  place.map((at) => atLine(at, (line) => [`${line} # comment`])),
  fc
    .tuple(place, plainText)
    .map(([at, text]) => atLine(at, (line) => [line.replace(/(?<=[:-] ).*/, () => text)])),
  fc
    .tuple(place, plainText)
    .map(([at, text]) => atLine(at, (line) => [line.replace(/[^ ]+(?=:)/, () => text)])),
  fc.constant((text: string) => text.replaceAll("\n", "\r\n")),
);

/** Recorded manifests with up to four small changes. */
export const mutatedManifests: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...recordedManifests()), fc.array(edit, { maxLength: 4 }))
  .map(([manifest, edits]) => edits.reduce((text, change) => change(text), manifest))
  // Replaces surrogates without a partner, which UTF-8 cannot encode.
  .map((text) => Buffer.from(text).toString());
