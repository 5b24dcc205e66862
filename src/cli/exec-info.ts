import { messageOf } from "../apimachinery/errors/message-of.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { parseJson } from "../codec/json/json.ts";

const group = "client.authentication.k8s.io";

/** The versions of ExecCredential that the plugin speaks. */
export const execVersions: readonly string[] = ["v1", "v1beta1"];

/** What a client tells its credential plugin. */
export interface ExecInfo {
  readonly apiVersion: string;
  /** Whether the plugin may ask the user: its standard input is a terminal, or the kubeconfig demands it. */
  readonly interactive: boolean;
  /** The cluster in the kubeconfig, with `provideClusterInfo`. */
  readonly cluster: JsonObject | undefined;
}

/**
 * Reads `KUBERNETES_EXEC_INFO`. Some clients do not set it: they take v1.
 * @throws {Error} for another text than an ExecCredential of a known version
 */
export function execInfoOf(variable: string | undefined): ExecInfo {
  if (variable === undefined) return { apiVersion: `${group}/v1`, interactive: false, cluster: undefined };
  const info = parsed(variable);
  const { apiVersion, kind, spec } = isJsonObject(info) ? info : {};
  const isKnown = execVersions.some((version) => apiVersion === `${group}/${version}`);
  if (kind !== "ExecCredential" || typeof apiVersion !== "string" || !isKnown) {
    const known = execVersions.map((version) => `${group}/${version}`).join(" or ");
    throw new Error(`KUBERNETES_EXEC_INFO must be an ExecCredential of ${known}`);
  }
  const { interactive, cluster } = isJsonObject(spec) ? spec : {};
  return {
    apiVersion,
    interactive: interactive === true,
    cluster: isJsonObject(cluster) ? cluster : undefined,
  };
}

/** An ExecCredential in the answer of a plugin. */
export function execCredential({ apiVersion, interactive }: ExecInfo, status: JsonObject): JsonObject {
  return { kind: "ExecCredential", apiVersion, spec: { interactive }, status };
}

/** The apiVersion of a version of ExecCredential. */
export function execApiVersion(version: string): string {
  return `${group}/${version}`;
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`KUBERNETES_EXEC_INFO: ${messageOf(error)}`);
  }
}
