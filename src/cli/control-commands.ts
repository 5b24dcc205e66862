import { listAt, numberAt, objectAt, textAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { controlRequest } from "./control-client.ts";
import { type ControlCommandName, controlHelp } from "./control-help.ts";
import { type ControlTarget, controlTarget } from "./control-target.ts";
import { FlagError } from "./flag-error.ts";
import { type Flag, type ParsedFlags, parseFlags } from "./flag-set.ts";
import { requestLine } from "./request-line.ts";

const commonFlags: readonly Flag[] = [
  { name: "kubeconfig", type: "string" },
  { name: "output", type: "string", shorthand: "o" },
  { name: "help", type: "bool", shorthand: "h" },
];

/** The parameters of the log of requests, by flag. */
const filters: ReadonlyMap<string, string> = new Map([
  ...["verb", "resource", "group", "subresource", "namespace", "name", "path", "user"].map(
    (name) => [name, name] as const,
  ),
  ["user-agent", "userAgent"],
]);

interface Command {
  readonly flags: readonly Flag[];
  /** Resolves to what it prints as JSON, and as text. */
  readonly run: (target: ControlTarget, parsed: ParsedFlags) => Promise<Output>;
}

interface Output {
  readonly json: JsonObject;
  readonly lines: readonly string[];
}

const commands: Readonly<Record<ControlCommandName, Command>> = {
  inject: { flags: [], run: inject },
  faults: { flags: [{ name: "check", type: "bool" }], run: faults },
  requests: {
    flags: [...filters.keys()].map((name) => ({
      name,
      type: "stringArray",
      ...(name === "namespace" && { shorthand: "n" }),
    })),
    run: requests,
  },
  clock: { flags: [], run: clock },
  upgrade: {
    flags: [{ name: "minors", type: "string" }],
    run: (...command) => changeRelease("upgrade", ...command),
  },
  downgrade: {
    flags: [{ name: "minors", type: "string" }],
    run: (...command) => changeRelease("downgrade", ...command),
  },
  reset: { flags: [], run: reset },
};

/** @throws {FlagError} for flags that the command does not have */
export function parseControlFlags(name: ControlCommandName, args: readonly string[]): ParsedFlags {
  return parseFlags([...commonFlags, ...commands[name].flags], args);
}

/** Runs a command that controls a running server. */
export async function controlCommand(name: ControlCommandName, args: readonly string[]): Promise<number> {
  const parsed = parseControlFlags(name, args);
  if (parsed.values.get("help")?.at(-1) === "true") {
    process.stdout.write(controlHelp[name]);
    return 0;
  }
  const output = parsed.values.get("output")?.at(-1) ?? "text";
  if (output !== "text" && output !== "json")
    throw new FlagError(`--output ${JSON.stringify(output)} is not "text" or "json"`);
  const kubeconfig = parsed.values.get("kubeconfig")?.at(-1) || undefined;
  const { json, lines } = await commands[name].run(controlTarget(kubeconfig, process.env), parsed);
  const printed = output === "json" ? [JSON.stringify(json, null, 2)] : lines;
  for (const line of printed) console.log(line);
  return 0;
}

async function inject(target: ControlTarget, { operands }: ParsedFlags): Promise<Output> {
  if (operands.length === 0)
    throw new FlagError("inject needs a scenario, for example: kubedouble inject conflict:resource=pods");
  const injected: JsonObject[] = [];
  for (const scenario of operands)
    injected.push(await controlRequest(target, "POST", "faults", { scenario }));
  return { json: { faults: injected }, lines: injected.map((fault) => textAt(fault, "id")) };
}

async function faults(target: ControlTarget, { values, operands }: ParsedFlags): Promise<Output> {
  const [action, ...ids] = operands;
  if (values.get("check")?.at(-1) === "true") {
    if (action !== undefined) throw new FlagError("faults --check takes no arguments");
    await controlRequest(target, "POST", "check", { allowUnserved: true });
    return nothing;
  }
  if (action === "remove") {
    if (ids.length === 0) throw new FlagError("faults remove needs the id of a fault");
    for (const id of ids) await controlRequest(target, "DELETE", `faults/${encodeURIComponent(id)}`);
    return nothing;
  }
  if (action !== undefined) throw unknownAction("faults", action, "remove");
  const json = await controlRequest(target, "GET", "faults");
  return {
    json,
    lines: columns([["ID", "SCENARIO", "HITS", "STATE", "SCOPE"], ...listAt(json, "faults").map(faultRow)]),
  };
}

function faultRow(fault: JsonObject): string[] {
  const scope = Object.entries(objectAt(fault, "scope") ?? {}).map(
    ([name, value]) => `${name}=${Array.isArray(value) ? value.join("|") : String(value)}`,
  );
  const hits = `${numberAt(fault, "hits")}/${String(fault["times"])}`;
  const state = fault["isOver"] === true ? "over" : "in force";
  return [textAt(fault, "id"), textAt(fault, "scenario"), hits, state, scope.join(",")];
}

async function requests(target: ControlTarget, { values, operands }: ParsedFlags): Promise<Output> {
  const [action, ...rest] = operands;
  if (action === "clear" && rest.length === 0) {
    await controlRequest(target, "DELETE", "requests");
    return nothing;
  }
  if (action !== undefined) throw unknownAction("requests", action, "clear");
  const query = new URLSearchParams();
  for (const [flag, parameter] of filters) {
    for (const value of values.get(flag) ?? []) query.append(parameter, value);
  }
  const json = await controlRequest(target, "GET", query.size === 0 ? "requests" : `requests?${query}`);
  const lines = listAt(json, "requests").map((request) =>
    requestLine({
      receivedAt: textAt(request, "receivedAt"),
      method: textAt(request, "method"),
      target: textAt(request, "target"),
      user: textAt(request, "user"),
      status: numberAt(request, "status"),
      milliseconds: numberAt(request, "milliseconds"),
      fault: textAt(request, "fault"),
    }),
  );
  return { json, lines };
}

async function clock(target: ControlTarget, { operands }: ParsedFlags): Promise<Output> {
  const [action, advance, ...rest] = operands;
  if (action !== undefined && action !== "advance") throw unknownAction("clock", action, "advance");
  if (action !== undefined && (advance === undefined || rest.length > 0))
    throw new FlagError("clock advance needs one duration, for example: kubedouble clock advance 5m");
  const json =
    advance === undefined
      ? await controlRequest(target, "GET", "clock")
      : await controlRequest(target, "POST", "clock", { advance });
  return { json, lines: [textAt(json, "now")] };
}

async function changeRelease(
  direction: "upgrade" | "downgrade",
  target: ControlTarget,
  { values, operands }: ParsedFlags,
): Promise<Output> {
  const [release, ...rest] = operands;
  if (release === undefined || rest.length > 0)
    throw new FlagError(`${direction} needs one release, for example: kubedouble ${direction} 1.33`);
  const minors = values.get("minors")?.at(-1);
  const body = { release, ...(minors !== undefined && { minors }) };
  const json = await controlRequest(target, "POST", direction, body);
  const left = ["unreadable", "unserved"].flatMap((state) =>
    listAt(json, state).map((object) => `${state}: ${objectName(object)}`),
  );
  return { json, lines: [textAt(json, "release"), ...left] };
}

function objectName(object: JsonObject): string {
  const [namespace, name] = [textAt(object, "namespace"), textAt(object, "name")];
  const type = `${textAt(object, "apiVersion")} ${textAt(object, "kind")}`;
  return `${type} ${namespace === "" ? "" : `${namespace}/`}${name}`;
}

async function reset(target: ControlTarget, { operands }: ParsedFlags): Promise<Output> {
  if (operands.length > 0) throw new FlagError("reset takes no arguments");
  await controlRequest(target, "POST", "reset");
  return nothing;
}

const nothing: Output = { json: {}, lines: [] };

function unknownAction(command: string, action: string, known: string): FlagError {
  return new FlagError(
    `unknown argument ${JSON.stringify(action)} for "kubedouble ${command}"; known: ${known}`,
  );
}

/** Rows with aligned columns; the last one has no padding. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("   ")
      .trimEnd(),
  );
}
