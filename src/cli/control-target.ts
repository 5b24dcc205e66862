import { readFileSync } from "node:fs";
import { delimiter, dirname, resolve } from "node:path";
import { listAt, objectAt, textAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../apimachinery/json.ts";
import { parseYaml } from "../codec/yaml/yaml.ts";

/** Where the control API of a running server is. */
export interface ControlTarget {
  readonly url: string;
  readonly token: string;
  /** PEM; undefined for the authorities of the system. */
  readonly authority: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The server of `--kubeconfig`, of KUBEDOUBLE_URL and KUBEDOUBLE_TOKEN, or of KUBECONFIG, in this order.
 * @throws {Error} that says what is missing
 */
export function controlTarget(kubeconfig: string | undefined, environment: Environment): ControlTarget {
  if (kubeconfig !== undefined) return targetOfKubeconfig(kubeconfig);
  const { KUBEDOUBLE_URL: url, KUBEDOUBLE_TOKEN: token, KUBEDOUBLE_CA_FILE: file } = environment;
  if (url) {
    if (!token) throw new Error("KUBEDOUBLE_URL is set, but KUBEDOUBLE_TOKEN is not");
    return { url, token, authority: file ? readFileSync(file, "utf8") : undefined };
  }
  const path = environment["KUBECONFIG"]?.split(delimiter).find((entry) => entry !== "");
  if (path !== undefined) return targetOfKubeconfig(path);
  throw new Error(
    "which server? Run the command inside kubedouble exec, set KUBEDOUBLE_URL and KUBEDOUBLE_TOKEN, or pass --kubeconfig",
  );
}

/** The current context of a kubeconfig. */
function targetOfKubeconfig(path: string): ControlTarget {
  const config = parseYaml(readFileSync(path, "utf8"));
  if (!isJsonObject(config)) throw new Error(`${path} is not a kubeconfig`);
  const context = named(config, "contexts", textAt(config, "current-context"), "context");
  const cluster = named(config, "clusters", textAt(context, "cluster"), "cluster");
  const token = textAt(named(config, "users", textAt(context, "user"), "user"), "token");
  if (token === "") throw new Error(`the user of ${path} has no token`);
  return { url: textAt(cluster, "server"), token, authority: authorityOf(cluster, path) };
}

function named(config: JsonObject, list: string, name: string, member: string): JsonObject {
  const entry = listAt(config, list).find((one) => textAt(one, "name") === name);
  return (entry && objectAt(entry, member)) ?? {};
}

function authorityOf(cluster: JsonObject, path: string): string | undefined {
  const data = textAt(cluster, "certificate-authority-data");
  if (data !== "") return Buffer.from(data, "base64").toString("utf8");
  const file = textAt(cluster, "certificate-authority");
  return file === "" ? undefined : readFileSync(resolve(dirname(path), file), "utf8");
}
