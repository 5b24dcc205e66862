import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import { messageOf } from "../apimachinery/errors/message-of.ts";
import {
  checkOptions,
  type OptionType,
  type OptionTypes,
  unknownName,
} from "../apimachinery/option-checks.ts";
import { optionsFromText } from "../apimachinery/option-text.ts";
import { integerFrom, text } from "../apimachinery/option-types.ts";
import { FlagError } from "./flag-error.ts";

/** How the plugin answers one or more calls. */
export type CredentialStep = CredentialAction & {
  /** How many calls it answers. */
  readonly times: number;
  /** How long the answer takes, in milliseconds. */
  readonly delay: number;
};

/** What the plugin does in a call. */
export type CredentialAction =
  | {
      readonly type: "credential";
      /** Where the token comes from; undefined for none. */
      readonly token: TokenSource | undefined;
      /** The files of a client certificate and its key, both PEM; undefined for none. */
      readonly certificate: { readonly certificate: string; readonly key: string } | undefined;
      /** In milliseconds from the call on, negative for a credential that has expired; undefined for no expiration. */
      readonly lifetime: number | undefined;
    }
  | { readonly type: "fail"; readonly message: string; readonly status: number }
  | { readonly type: "print"; readonly text: string }
  | { readonly type: "printFile"; readonly path: string }
  | { readonly type: "hang" };

/** A given token, one from the settings of the cluster in the kubeconfig, or one from the user. */
export type TokenSource =
  | { readonly from: "step"; readonly token: string }
  | { readonly from: "cluster" }
  | { readonly from: "user" };

const signedDuration: OptionType = {
  accepts: 'a duration such as "10m", or "-10m" for the past',
  isValid: (value) => typeof value === "string" && milliseconds(value) !== undefined,
};

const delay: OptionType = {
  accepts: 'a duration such as "5s"',
  isValid: (value) => typeof value === "string" && (milliseconds(value) ?? -1) >= 0,
};

const ofEveryStep: OptionTypes = { times: integerFrom(1), delay };
const lifetime: OptionTypes = { lifetime: signedDuration };

/** What each step accepts. */
const stepTypes: ReadonlyMap<string, OptionTypes> = new Map([
  ["credential", { ...ofEveryStep, ...lifetime, token: text, certificate: text, key: text }],
  ["config", { ...ofEveryStep, ...lifetime }],
  ["prompt", { ...ofEveryStep, ...lifetime }],
  ["fail", { ...ofEveryStep, message: text, status: integerFrom(1) }],
  ["print", { ...ofEveryStep, text, file: text }],
  ["hang", ofEveryStep],
]);

/**
 * A step such as `credential:token=t1,lifetime=10m` or `fail:message=no network,status=3`.
 * @throws {FlagError} for an unknown step, option or value; the message says what is accepted
 */
export function parseCredentialStep(written: string): CredentialStep {
  const colon = written.indexOf(":");
  const name = colon < 0 ? written : written.slice(0, colon);
  try {
    const types = stepTypes.get(name);
    if (types === undefined) throw unknownName("there is no step", name, [...stepTypes.keys()]);
    const given = optionsFromText(name, colon < 0 ? undefined : written.slice(colon + 1), types);
    checkOptions(name, given, types);
    const options = new Map(Object.entries(given).map(([option, value]) => [option, String(value)]));
    const times = Number(options.get("times") ?? 1);
    return { ...actionOf(name, options), times, delay: milliseconds(options.get("delay") ?? "0s") ?? 0 };
  } catch (error) {
    throw new FlagError(messageOf(error));
  }
}

type Options = ReadonlyMap<string, string>;

function actionOf(name: string, options: Options): CredentialAction {
  if (name === "hang") return { type: "hang" };
  if (name === "print") return printed(options);
  if (name === "fail") {
    const message = options.get("message") ?? "no credential";
    return { type: "fail", message, status: Number(options.get("status") ?? 1) };
  }
  const life = options.get("lifetime");
  return {
    type: "credential",
    token: tokenSource(name, options),
    certificate: certificateFiles(options),
    lifetime: life === undefined ? undefined : milliseconds(life),
  };
}

function tokenSource(name: string, options: Options): TokenSource | undefined {
  if (name === "config") return { from: "cluster" };
  if (name === "prompt") return { from: "user" };
  const token = options.get("token");
  if (token !== undefined) return { from: "step", token };
  if (options.has("certificate")) return undefined;
  throw new Error("credential needs the option token, or certificate and key");
}

function certificateFiles(options: Options): { certificate: string; key: string } | undefined {
  const [certificate, key] = [options.get("certificate"), options.get("key")];
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  if (certificate === undefined && key === undefined) return undefined;
  throw new Error("credential: a certificate needs a key, and a key a certificate");
}

function printed(options: Options): CredentialAction {
  const [literal, path] = [options.get("text"), options.get("file")];
  if (path === undefined) return { type: "print", text: literal ?? "" };
  if (literal !== undefined) throw new Error("print: text has no effect with file");
  return { type: "printFile", path };
}

/** Undefined for what is not a duration. */
function milliseconds(duration: string): number | undefined {
  try {
    return parseDurationMilliseconds(duration);
  } catch {
    return undefined;
  }
}
