import type { JsonValue } from "../../apimachinery/json.ts";
import { checkOptions, checkValue, type OptionTypes } from "../../apimachinery/option-checks.ts";
import { listOf, text } from "../../apimachinery/option-types.ts";
import type { UserOptions } from "../../apimachinery/user-info.ts";
import { checkExecPlugin, type ExecPlugin, execExtensions, execOf } from "./exec-plugin.ts";
import type { Served } from "./served.ts";

/** The contents of a kubeconfig. */
export interface KubeconfigOptions {
  /** The URL of the server. */
  readonly server: string;
  /** The trusted authority: its PEM, or base64 of it. Default: the system's certificates. */
  readonly certificateAuthorityData?: string;
  /** A bearer token. Default: none, which makes the client anonymous. */
  readonly token?: string;
  /** The path of a file with a bearer token, which clients read again from time to time. Default: none. */
  readonly tokenFile?: string;
  /** A command that prints credentials, such as `kubedouble credential`. Default: none. */
  readonly exec?: ExecPlugin;
  /** A client certificate and its key, both PEM, as `cluster.certificate` issues them. Default: none. */
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** The namespace of commands that do not name one. Default: the client's own default. */
  readonly namespace?: string;
  /** The name of the user. Default: `kubedouble`. */
  readonly user?: string;
  /** The name of the cluster, and of the context. Default: `kubedouble`. */
  readonly cluster?: string;
}

/** The YAML of a kubeconfig with one cluster, one user and one context. */
export function kubeconfig(options: KubeconfigOptions): string {
  const { cluster = "kubedouble", user = "kubedouble" } = options;
  const lines = [
    "apiVersion: v1",
    "kind: Config",
    "clusters:",
    `- name: ${scalar(cluster)}`,
    "  cluster:",
    `    server: ${scalar(options.server)}`,
    ...optional("    certificate-authority-data", base64OfPem(options.certificateAuthorityData)),
    ...optional("    extensions", options.exec && execExtensions(options.exec)),
    "contexts:",
    `- name: ${scalar(cluster)}`,
    "  context:",
    `    cluster: ${scalar(cluster)}`,
    `    user: ${scalar(user)}`,
    ...optional("    namespace", options.namespace),
    `current-context: ${scalar(cluster)}`,
    "preferences: {}",
    "users:",
    `- name: ${scalar(user)}`,
    ...credentials(options),
  ];
  return `${lines.join("\n")}\n`;
}

function credentials({ token, tokenFile, certificate, exec }: KubeconfigOptions): readonly string[] {
  const lines = [
    ...optional("    client-certificate-data", base64OfPem(certificate?.certificate)),
    ...optional("    client-key-data", base64OfPem(certificate?.key)),
    ...optional("    token", token),
    ...optional("    tokenFile", tokenFile),
    ...optional("    exec", exec && execOf(exec)),
  ];
  return lines.length === 0 ? ["  user: {}"] : ["  user:", ...lines];
}

/** The user and other settings of a kubeconfig for a cluster. */
export interface UserKubeconfigOptions extends KubeconfigOptions {
  /** The user that the kubeconfig authenticates as. Default: an administrator. */
  readonly user?: string;
  /** The groups of `user`. Default: none. */
  readonly groups?: readonly string[];
  /** The uid of `user`. Default: none. */
  readonly uid?: string;
}

/**
 * A kubeconfig that authenticates as `user`, or as an administrator without one; a given credential takes their place.
 * @throws {Error} for groups or a uid without a user to have them, or with a credential, which has its own; for a credential
 * that clients ignore because of another one
 */
export function kubeconfigFor(
  cluster: Pick<Served, "adminToken" | "token">,
  options: UserKubeconfigOptions,
): string {
  checkOptions("kubeconfig", options, optionTypes);
  checkValue("kubeconfig: server", options.server, text);
  if (options.exec !== undefined) checkExecPlugin(options.exec);
  const { groups, uid, ...contents } = options;
  const { user, token } = contents;
  const [credential] = credentialNames.filter((name) => contents[name] !== undefined);
  if (groups !== undefined || uid !== undefined) {
    const given = groups === undefined ? "uid" : "groups";
    if (user === undefined) throw new Error(`kubeconfig: ${given} requires user`);
    if (credential !== undefined) throw new Error(`kubeconfig: ${given} has no effect with ${credential}`);
  }
  if (token !== undefined && contents.tokenFile !== undefined) {
    throw new Error("kubeconfig: token has no effect with tokenFile");
  }
  if (contents.exec !== undefined && credential !== "exec") {
    throw new Error(`kubeconfig: exec has no effect with ${credential}`);
  }
  if (credential !== undefined) return kubeconfig(contents);
  const issued = user === undefined ? cluster.adminToken() : cluster.token(user, userOptions(groups, uid));
  return kubeconfig({ ...contents, token: issued });
}

/** What a user can have in a kubeconfig. Clients use a plugin only if there is nothing else. */
const credentialNames = ["token", "tokenFile", "certificate", "exec"] as const;

const optionTypes: OptionTypes = {
  server: text,
  certificateAuthorityData: text,
  token: text,
  tokenFile: text,
  exec: { accepts: "a command and its settings", isValid: (value) => typeof value === "object" },
  namespace: text,
  certificate: {
    accepts: "a certificate and its key, as cluster.certificate issues them",
    isValid: (value) =>
      typeof value === "object" &&
      value !== null &&
      "certificate" in value &&
      "key" in value &&
      text.isValid(value.certificate) &&
      text.isValid(value.key),
  },
  user: text,
  cluster: text,
  groups: listOf(text),
  uid: text,
};

function userOptions(groups: readonly string[] | undefined, uid: string | undefined): UserOptions {
  return { ...(groups !== undefined && { groups }), ...(uid !== undefined && { uid }) };
}

function base64OfPem(authority: string | undefined): string | undefined {
  return authority?.startsWith("-----BEGIN") ? btoa(authority) : authority;
}

function optional(key: string, value: JsonValue | undefined): readonly string[] {
  return value === undefined ? [] : [`${key}: ${scalar(value)}`];
}

/** JSON is YAML, except for characters that JSON leaves unescaped and YAML reads as line breaks or rejects. */
function scalar(value: JsonValue): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
