import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { setTimeout } from "node:timers/promises";
import type { JsonObject } from "../apimachinery/json.ts";
import { encodeJson } from "../codec/json/json.ts";
import { credentialHelp } from "./credential-help.ts";
import {
  type CredentialAction,
  type CredentialStep,
  parseCredentialStep,
  type TokenSource,
} from "./credential-steps.ts";
import { type ExecInfo, execApiVersion, execCredential, execInfoOf, execVersions } from "./exec-info.ts";
import { FlagError } from "./flag-error.ts";
import { type Flag, type ParsedFlags, parseFlags } from "./flag-set.ts";

const flags: readonly Flag[] = [
  { name: "calls", type: "string" },
  { name: "api-version", type: "string" },
  { name: "help", type: "bool", shorthand: "h" },
];

/** `kubedouble credential STEP...`: answers a call of a client as a credential plugin. */
export async function credentialCommand(args: readonly string[]): Promise<number> {
  const parsed = parseFlags(flags, args);
  if (lastValue(parsed, "help") === "true") {
    process.stdout.write(credentialHelp);
    return 0;
  }
  const steps = parsed.operands.map(parseCredentialStep);
  const calls = lastValue(parsed, "calls");
  if (calls === undefined && (steps.length > 1 || steps.some(({ times }) => times > 1))) {
    throw new FlagError("more than one step needs --calls FILE, where calls are counted");
  }
  const asked = execInfoOf(process.env["KUBERNETES_EXEC_INFO"]);
  const info = { ...asked, apiVersion: answeredVersion(parsed) ?? asked.apiVersion };
  const step = stepAt(steps, calls === undefined ? 0 : numberOfCall(calls, asked));
  await setTimeout(step.delay);
  return answer(step, info);
}

function lastValue(parsed: ParsedFlags, name: string): string | undefined {
  return parsed.values.get(name)?.at(-1);
}

function answeredVersion(parsed: ParsedFlags): string | undefined {
  const version = lastValue(parsed, "api-version");
  if (version === undefined) return undefined;
  if (execVersions.includes(version)) return execApiVersion(version);
  throw new FlagError(`--api-version must be ${execVersions.join(" or ")}, not ${JSON.stringify(version)}`);
}

/** Records a call. Returns how many came before it, also if several run at a time. */
function numberOfCall(path: string, { apiVersion, interactive, cluster }: ExecInfo): number {
  const call = randomUUID();
  const line = encodeJson({ call, apiVersion, interactive, ...(cluster !== undefined && { cluster }) });
  appendFileSync(path, `${line}\n`, { mode: 0o600 });
  return readFileSync(path, "utf8").split("\n").indexOf(line);
}

/** The step that answers a call; the last one answers all later calls. @throws {FlagError} if there is none */
function stepAt(steps: readonly CredentialStep[], call: number): CredentialStep {
  let answered = 0;
  for (const step of steps) {
    answered += step.times;
    if (call < answered) return step;
  }
  const last = steps.at(-1);
  if (last !== undefined) return last;
  throw new FlagError("credential needs a step, for example: kubedouble credential credential:token=t1");
}

async function answer(action: CredentialAction, info: ExecInfo): Promise<number> {
  switch (action.type) {
    case "hang":
      return endOfClient();
    case "fail":
      process.stderr.write(`${action.message}\n`);
      return action.status;
    case "print":
      process.stdout.write(action.text);
      return 0;
    case "printFile":
      process.stdout.write(readFileSync(action.path));
      return 0;
    case "credential":
      process.stdout.write(`${encodeJson(execCredential(info, await statusOf(action, info)))}\n`);
      return 0;
  }
}

async function statusOf(
  { token, certificate, lifetime }: Extract<CredentialAction, { type: "credential" }>,
  info: ExecInfo,
): Promise<JsonObject> {
  return {
    ...(lifetime !== undefined && { expirationTimestamp: timestamp(Date.now() + lifetime) }),
    ...(token !== undefined && { token: await tokenOf(token, info) }),
    ...(certificate !== undefined && {
      clientCertificateData: readFileSync(certificate.certificate, "utf8"),
      clientKeyData: readFileSync(certificate.key, "utf8"),
    }),
  };
}

/** @throws {Error} if the client does not provide what the token comes from */
async function tokenOf(source: TokenSource, { interactive, cluster }: ExecInfo): Promise<string> {
  if (source.from === "step") return source.token;
  if (source.from === "user") {
    if (!interactive)
      throw new Error("the client does not let the plugin ask the user: interactive is false");
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const typed = await terminal.question("Token: ");
    terminal.close();
    return typed;
  }
  if (cluster === undefined) throw new Error("the client sent no cluster: provideClusterInfo is not true");
  const config = cluster["config"];
  const token = typeof config === "object" && config !== null && "token" in config ? config.token : undefined;
  if (typeof token === "string") return token;
  throw new Error("the config of the cluster in the kubeconfig has no token");
}

/** In RFC 3339, without fractions of a second as Go writes it. */
function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}

/** How often a hanging plugin looks whether its client still runs, in milliseconds. */
const pauseMilliseconds = 200;

/** The client, read at the start: it may end before the step that waits for its end. */
const client = process.ppid;

/** Waits until the client has ended. */
async function endOfClient(): Promise<number> {
  while (process.ppid === client) await setTimeout(pauseMilliseconds);
  return 1;
}
