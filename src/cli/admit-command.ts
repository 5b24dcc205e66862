import { messageOf } from "../apimachinery/errors/message-of.ts";
import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import { checkValue } from "../apimachinery/option-checks.ts";
import { oneOf } from "../apimachinery/option-types.ts";
import { toJson } from "../apimachinery/to-json.ts";
import type { AdmissionReport, AdmitOptions } from "../cluster/admission-report.ts";
import { ClusterCore } from "../cluster/cluster-core.ts";
import { completeOptions } from "../cluster/options.ts";
import { encodePrettyJson } from "../codec/json/json.ts";
import { encodeYaml } from "../codec/yaml/yaml.ts";
import { readAdmissionConfiguration } from "./admission-files.ts";
import { admitHelp } from "./admit-help.ts";
import { FlagError } from "./flag-error.ts";
import { type Flag, type ParsedFlags, parseFlags } from "./flag-set.ts";
import { readManifests } from "./manifests.ts";
import { clusterOptions, serviceAt } from "./serve-flags.ts";
import { flagOf, gatesOf } from "./start-server.ts";

const flags: readonly Flag[] = [
  { name: "file", type: "stringArray", shorthand: "f" },
  { name: "load", type: "stringArray" },
  { name: "operation", type: "string" },
  { name: "subresource", type: "string" },
  { name: "namespace", type: "string", shorthand: "n" },
  { name: "as", type: "string" },
  { name: "as-group", type: "stringArray" },
  { name: "as-uid", type: "string" },
  { name: "output", type: "string", shorthand: "o" },
  { name: "release", type: "string" },
  { name: "enable-admission-plugins", type: "stringSlice" },
  { name: "disable-admission-plugins", type: "stringSlice" },
  { name: "admission-control-config-file", type: "string" },
  { name: "feature-gates", type: "colonSeparatedMultimapStringString" },
  { name: "runtime-config", type: "mapStringString" },
  { name: "authorization-mode", type: "stringSlice" },
  { name: "service-at", type: "stringArray" },
  { name: "on-unknown", type: "string" },
  { name: "help", type: "bool", shorthand: "h" },
];

const formatText = (reports: readonly AdmissionReport[]) => reports.map(({ text }) => `${text}\n`).join("\n");

const formats: { readonly [output: string]: (reports: readonly AdmissionReport[]) => string } = {
  text: formatText,
  json: (reports) => `${encodePrettyJson(reports.map(asJson))}\n`,
  yaml: (reports) => encodeYaml(reports.map(asJson)),
};

/** @throws {FlagError} */
export function parseAdmitFlags(args: readonly string[]): ParsedFlags {
  return parseFlags(flags, args);
}

/** `kubedouble admit -f FILE`: writes what admission does with objects. The status says whether all of them are admitted. */
export async function admitCommand(args: readonly string[]): Promise<number> {
  try {
    return await admitAll(parseAdmitFlags(args));
  } catch (error) {
    console.error(`Error: ${messageOf(error)}`);
    if (error instanceof FlagError) console.error("See 'kubedouble admit --help' for usage.");
    return 2;
  }
}

async function admitAll(parsed: ParsedFlags): Promise<number> {
  if (lastValue(parsed, "help") === "true") {
    process.stdout.write(admitHelp);
    return 0;
  }
  const format = formatOf(parsed);
  const options = admitOptions(parsed);
  const files = filesOf(parsed);
  const cluster = clusterOf(parsed);
  try {
    const objects = readManifests(files);
    await cluster.settle();
    const reports: AdmissionReport[] = [];
    for (const { object, source } of objects) reports.push(await admitted(cluster, object, options, source));
    process.stdout.write(format(reports));
    return reports.every((report) => report.admitted) ? 0 : 1;
  } finally {
    await cluster.close();
  }
}

function lastValue(parsed: ParsedFlags, name: string): string | undefined {
  return parsed.values.get(name)?.at(-1);
}

function formatOf(parsed: ParsedFlags): (reports: readonly AdmissionReport[]) => string {
  const output = lastValue(parsed, "output") ?? "text";
  checkChoice("output", output, Object.keys(formats));
  return formats[output] ?? formatText;
}

/** @throws {FlagError} that suggests the nearest choice */
function checkChoice(flag: string, value: string, choices: readonly string[]): void {
  try {
    checkValue(`--${flag}`, value, oneOf(...choices));
  } catch (error) {
    throw new FlagError(messageOf(error));
  }
}

/** @throws {FlagError} without a file. A shell expands `-f dir/*` to one value and operands. */
function filesOf({ values, operands }: ParsedFlags): readonly string[] {
  const files = values.get("file");
  if (files !== undefined) return [...files, ...operands];
  throw new FlagError("admit needs the file of an object, for example: kubedouble admit -f pod.yaml");
}

/** @throws {FlagError} */
function admitOptions(parsed: ParsedFlags): AdmitOptions {
  const operation = lastValue(parsed, "operation");
  if (operation !== undefined) checkChoice("operation", operation, ["CREATE", "UPDATE", "DELETE"]);
  const [name, uid] = [lastValue(parsed, "as"), lastValue(parsed, "as-uid")];
  const groups = parsed.values.get("as-group");
  if (name === undefined && (groups ?? uid) !== undefined) {
    throw new FlagError("--as-group and --as-uid have no effect without --as");
  }
  const subresource = lastValue(parsed, "subresource");
  const namespace = lastValue(parsed, "namespace");
  return {
    // One of these, or there would be an error.
    ...(operation !== undefined && { operation: operation as "CREATE" | "UPDATE" | "DELETE" }),
    ...(subresource !== undefined && { subresource }),
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && {
      user: { name, ...(groups && { groups }), ...(uid !== undefined && { uid }) },
    }),
  };
}

function clusterOf(parsed: ParsedFlags): ClusterCore {
  const path = lastValue(parsed, "admission-control-config-file");
  const options = { ...clusterOptions(parsed), ...readAdmissionConfiguration(path) };
  const config = completeOptions({ ...options, featureGates: gatesOf(options) }, flagOf);
  const objects = readManifests(parsed.values.get("load") ?? []);
  const cluster = new ClusterCore({ ...config, objects });
  for (const pair of parsed.values.get("service-at") ?? []) {
    const { server, address } = serviceAt(pair);
    cluster.targets.addresses.add(cluster.names.real(server), address);
  }
  return cluster;
}

/** @throws {Error} that names the place of the object, for one that cannot be sent */
async function admitted(
  cluster: ClusterCore,
  object: JsonObject,
  options: AdmitOptions,
  source: string,
): Promise<AdmissionReport> {
  try {
    return await cluster.admit(object, options);
  } catch (error) {
    throw new Error(`${source}: ${messageOf(error)}`);
  }
}

function asJson({ text: _, ...report }: AdmissionReport): JsonValue {
  return toJson(report) ?? null;
}
