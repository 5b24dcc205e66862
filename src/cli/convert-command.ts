import { messageOf } from "../apimachinery/errors/message-of.ts";
import { type GroupVersion, parseGroupVersion } from "../apimachinery/group-version.ts";
import { isJsonObject, type JsonValue } from "../apimachinery/json.ts";
import { parseRelease } from "../apimachinery/release.ts";
import { ObjectConversion } from "../cluster/object-conversion.ts";
import { splitManifests } from "../cluster/seeding/manifest-text.ts";
import { encodePrettyJson } from "../codec/json/json.ts";
import { convertHelp } from "./convert-help.ts";
import { type ConvertedDocument, convertDocument } from "./converted-text.ts";
import { FlagError } from "./flag-error.ts";
import { type Flag, type ParsedFlags, parseFlags } from "./flag-set.ts";
import { type NamedText, readTexts } from "./manifests.ts";

const flags: readonly Flag[] = [
  { name: "filename", type: "stringArray", shorthand: "f" },
  { name: "output-version", type: "string" },
  { name: "output", type: "string", shorthand: "o" },
  { name: "release", type: "string" },
  { name: "help", type: "bool", shorthand: "h" },
];

/** @throws {FlagError} */
export function parseConvertFlags(args: readonly string[]): ParsedFlags {
  return parseFlags(flags, args);
}

/** `kubedouble convert -f FILE --output-version GV`: writes manifests in another version. */
export async function convertCommand(args: readonly string[]): Promise<number> {
  const parsed = parseConvertFlags(args);
  const last = (name: string) => parsed.values.get(name)?.at(-1);
  if (last("help") === "true") {
    process.stdout.write(convertHelp);
    return 0;
  }
  const output = last("output") ?? "yaml";
  if (output !== "yaml" && output !== "json") {
    throw new FlagError(`--output ${JSON.stringify(output)} is not "yaml" or "json"`);
  }
  const to = versionOf(parsed);
  const release = last("release");
  const conversion = new ObjectConversion(release === undefined ? undefined : parseRelease(release));
  const documents: ConvertedDocument[] = [];
  const problems: string[] = [];
  for (const text of readTexts(filesOf(parsed))) {
    try {
      documents.push(...(await convertedDocuments(text, to, conversion)));
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  if (problems.length === 0 && documents.every(({ matches }) => matches === 0)) {
    problems.push(`no object has a version in ${last("output-version")}`);
  }
  for (const problem of problems) console.error(`Error: ${problem}`);
  if (problems.length > 0) return 1;
  process.stdout.write(output === "json" ? asJson(documents) : asYaml(documents));
  return 0;
}

/** @throws {FlagError} */
function versionOf({ values }: ParsedFlags): GroupVersion {
  const text = values.get("output-version")?.at(-1);
  if (text === undefined) {
    throw new FlagError("convert needs a version, for example: --output-version networking.k8s.io/v1");
  }
  const version = parseGroupVersion(text);
  if (version !== undefined && version.version !== "") return version;
  throw new FlagError(`--output-version ${JSON.stringify(text)} is not of the form group/version`);
}

/** @throws {FlagError} without a file. A shell expands `-f dir/*` to one value and operands. */
function filesOf({ values, operands }: ParsedFlags): readonly string[] {
  const files = values.get("filename");
  if (files !== undefined) return [...files, ...operands];
  throw new FlagError("convert needs the file of an object, for example: kubedouble convert -f ingress.yaml");
}

/** @throws {Error} that names the file and the document */
async function convertedDocuments(
  { text, name }: NamedText,
  to: GroupVersion,
  conversion: ObjectConversion,
): Promise<readonly ConvertedDocument[]> {
  const converted: ConvertedDocument[] = [];
  for (const { text: part, source, value, isJson } of splitManifests(text, name)) {
    if (!isJsonObject(value)) throw new Error(`${source}: not an object`);
    converted.push(await convertDocument(value, isJson ? undefined : part, source, to, conversion));
  }
  return converted;
}

function asYaml(documents: readonly ConvertedDocument[]): string {
  const texts = documents.map(({ yaml }) => yaml.replace(/^\n+/, "").replace(/\n*$/, "\n"));
  return texts.join("---\n");
}

/** Several objects are a List, as in the output of kubectl. */
function asJson(documents: readonly ConvertedDocument[]): string {
  const [only, ...others] = documents.map(({ value }) => value);
  const list: JsonValue = {
    apiVersion: "v1",
    kind: "List",
    metadata: {},
    items: documents.map(({ value }) => value),
  };
  return `${encodePrettyJson(only !== undefined && others.length === 0 ? only : list)}\n`;
}
