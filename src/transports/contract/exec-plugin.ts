import type { JsonObject } from "../../apimachinery/json.ts";
import { checkOptions, type OptionType, type OptionTypes } from "../../apimachinery/option-checks.ts";
import { boolean, listOf, oneOf, text } from "../../apimachinery/option-types.ts";

/** A credential plugin: a command that the client runs when it needs a credential. */
export interface ExecPlugin {
  /** The command, by its name on PATH or its path. */
  readonly command: string;
  /** Its arguments. Default: none. */
  readonly args?: readonly string[];
  /** Its variables in addition to those of the client. Default: none. */
  readonly env?: { readonly [name: string]: string };
  /** The version of the ExecCredential. Default: `client.authentication.k8s.io/v1`. */
  readonly apiVersion?: "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";
  /** Whether the command may ask the user. Default: "IfAvailable". */
  readonly interactiveMode?: "Never" | "IfAvailable" | "Always";
  /** Whether the client tells the command about the cluster, in `KUBERNETES_EXEC_INFO`. Default: false. */
  readonly provideClusterInfo?: boolean;
  /** What the client tells the command besides, with `provideClusterInfo`: `spec.cluster.config`. Default: nothing. */
  readonly config?: JsonObject;
  /** What the client says if there is no such command. Default: nothing. */
  readonly installHint?: string;
}

const objectType: OptionType = {
  accepts: "an object",
  isValid: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

const execTypes: OptionTypes = {
  command: { ...text, isRequired: true },
  args: listOf(text),
  env: {
    accepts: "an object with texts",
    isValid: (value) => objectType.isValid(value) && listOf(text).isValid(Object.values(Object(value))),
  },
  apiVersion: oneOf("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"),
  interactiveMode: oneOf("Never", "IfAvailable", "Always"),
  provideClusterInfo: boolean,
  config: objectType,
  installHint: text,
};

/** @throws {TypeError} that names the option of the plugin, and what is accepted */
export function checkExecPlugin(plugin: ExecPlugin): void {
  checkOptions("kubeconfig: exec", plugin, execTypes);
  if (plugin.config === undefined || plugin.provideClusterInfo === true) return;
  throw new TypeError("kubeconfig: exec: config requires provideClusterInfo");
}

/** The plugin in a kubeconfig: `users[].user.exec`. */
export function execOf({ env = {}, config: _, ...plugin }: ExecPlugin): JsonObject {
  return {
    apiVersion: "client.authentication.k8s.io/v1",
    interactiveMode: "IfAvailable",
    provideClusterInfo: false,
    ...plugin,
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
  };
}

/** What a cluster in a kubeconfig has for its plugins: `clusters[].cluster.extensions`. */
export function execExtensions({ config }: ExecPlugin): readonly JsonObject[] | undefined {
  return config && [{ name: "client.authentication.k8s.io/exec", extension: config }];
}
