import { base64Of } from "../apimachinery/base64.ts";
import { DecodeError } from "../apimachinery/decode-error.ts";
import { ConfigurationError } from "../apimachinery/errors/configuration-error.ts";
import { booleanAt, listAt, objectAt, structAt, textAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { parseYaml } from "../codec/yaml/yaml.ts";
import { KubeconfigText } from "./kubeconfig-text.ts";
import type { WebhookConnection } from "./webhook-connection.ts";
import type { KubeconfigFile } from "./webhook-target.ts";

/**
 * How to reach the webhook that a file in the format of a kubeconfig describes: the cluster and the user of its current context. `title`
 * names the file in errors. Upstream: client-go, tools/clientcmd.
 * @throws {ConfigurationError} that names the line, for a file that cannot be used
 */
export function connectionOf(file: KubeconfigFile, title: string): WebhookConnection {
  const text = new KubeconfigText(file, title);
  const config = parsedKubeconfig(file.text, title);
  const contextName = textAt(config, "current-context");
  const context =
    contextName === "" ? unnamedContext(config) : named(config, "contexts", contextName, "context");
  if (context === undefined) {
    const problem =
      contextName === ""
        ? "no configuration has been provided, try setting KUBERNETES_MASTER environment variable"
        : `context was not found for specified context: ${contextName}`;
    throw text.error(problem, "current-context", contextName);
  }
  const names = { cluster: textAt(context, "cluster"), user: textAt(context, "user") };
  const cluster = named(config, "clusters", names.cluster, "cluster");
  const user = named(config, "users", names.user, "user") ?? (names.user === "" ? {} : undefined);
  if (cluster === undefined) {
    throw text.error(
      `cluster "${names.cluster}" was not found for context "${contextName}"`,
      "cluster",
      names.cluster,
    );
  }
  if (user === undefined) {
    throw text.error(`user "${names.user}" was not found for context "${contextName}"`, "user", names.user);
  }
  return { ...serverOf(cluster, names.cluster, text), ...credentialsOf(user, names.user, text) };
}

/** The content of a kubeconfig. @throws {ConfigurationError} */
export function parsedKubeconfig(text: string, title: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseYaml(text);
  } catch (error) {
    if (error instanceof DecodeError) throw new ConfigurationError(`${title}: ${error.message}`);
    throw error;
  }
  if (value === null) return {};
  if (!isJsonObject(value)) throw new ConfigurationError(`${title}: line 1: not a kubeconfig`);
  const kind = textAt(value, "kind");
  if (kind === "" || kind === "Config") return value;
  throw new ConfigurationError(
    `${title}: no kind "${kind}" is registered for version "${textAt(value, "apiVersion")}"`,
  );
}

/** Without a current context, the cluster and the user without a name count. */
function unnamedContext(config: JsonObject): JsonObject | undefined {
  return named(config, "clusters", "", "cluster") && {};
}

/** The entry of this name in a list of the kubeconfig; the first one counts, as upstream. */
function named(config: JsonObject, list: string, name: string, member: string): JsonObject | undefined {
  const entry = listAt(config, list).find((each) => textAt(each, "name") === name);
  return entry && structAt(entry, member);
}

type ServerPart = Pick<WebhookConnection, "url" | "authorities" | "serverName" | "verifiesServer">;

function serverOf(cluster: JsonObject, name: string, text: KubeconfigText): ServerPart {
  const server = textAt(cluster, "server");
  if (server === "") throw text.error(`no server found for cluster "${name}"`, "cluster", name);
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw text.error(
      `the server of cluster "${name}" must be an http or https URL: ${server}`,
      "server",
      server,
    );
  }
  if (textAt(cluster, "proxy-url") !== "") {
    throw text.error("proxy-url is not supported here", "proxy-url", textAt(cluster, "proxy-url"));
  }
  const verifiesServer = !booleanAt(cluster, "insecure-skip-tls-verify");
  const authorities = text.pem(cluster, "certificate-authority", `certificate-authority %v for ${name}`);
  if (!verifiesServer && authorities !== undefined) {
    const problem = "specifying a root certificates file with the insecure flag is not allowed";
    throw text.error(problem, "insecure-skip-tls-verify", "true");
  }
  const serverName = textAt(cluster, "tls-server-name") || undefined;
  return { url, authorities, serverName, verifiesServer };
}

/** How the server identifies itself. */
export type UserPart = Pick<WebhookConnection, "certificate" | "authorization">;

/** The credentials of a user of a kubeconfig. @throws {ConfigurationError} */
export function credentialsOf(user: JsonObject, name: string, text: KubeconfigText): UserPart {
  for (const method of ["exec", "auth-provider"]) {
    // A command of the file would run with the rights of the test.
    if (objectAt(user, method) !== undefined) throw text.error(`${method} is not supported here`, method, "");
  }
  const token = text.token(user, name);
  const username = textAt(user, "username");
  if (token !== "" && username !== "") {
    const problem = `more than one authentication method found for ${name}; found [token basicAuth], only one is allowed`;
    throw text.error(problem, "username", username);
  }
  return { certificate: certificateOf(user, name, text), authorization: authorizationOf(user, token) };
}

function authorizationOf(user: JsonObject, token: string): string | undefined {
  if (token !== "") return `Bearer ${token}`;
  const username = textAt(user, "username");
  if (username === "") return undefined;
  const pair = new TextEncoder().encode(`${username}:${textAt(user, "password")}`);
  return `Basic ${base64Of(pair)}`;
}

function certificateOf(user: JsonObject, name: string, text: KubeconfigText): UserPart["certificate"] {
  const certificate = text.pem(user, "client-certificate", `client-cert %v for ${name}`);
  const key = text.pem(user, "client-key", `client-key %v for ${name}`);
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  const missing =
    certificate === undefined
      ? `client-cert-data or client-cert must be specified for ${name} to use the clientCert authentication method.`
      : `client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`;
  throw text.error(missing, certificate === undefined ? "client-key" : "client-certificate", "");
}
