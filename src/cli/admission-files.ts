import { readFileSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { fieldInvalid, formatFieldError } from "../apimachinery/errors/field.ts";
import { messageOf } from "../apimachinery/errors/message-of.ts";
import { listAt, structAt, textAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { ClusterOptions } from "../cluster/options.ts";
import { parseYaml } from "../codec/yaml/yaml.ts";

/**
 * The option of an AdmissionConfiguration, in which the files of plugins take the place of their paths. Upstream: apiserver,
 * pkg/admission/config.go, ReadAdmissionConfiguration.
 * @throws {Error} that names the file that cannot be read
 */
export function readAdmissionConfiguration(
  path: string | undefined,
): Pick<ClusterOptions, "admissionControlConfigFile"> {
  if (path === undefined) return {};
  const configuration = objectIn(path, "admission control configuration");
  if ("imagePolicy" in configuration || "podNodeSelectorPluginConfig" in configuration) {
    // The old format is the configuration of a plugin itself.
    return { admissionControlConfigFile: structAt(withKubeconfig({ configuration }), "configuration") };
  }
  const plugins = listAt(configuration, "plugins").map((plugin): JsonObject => {
    const file = textAt(plugin, "path");
    // A nested configuration counts before a path.
    if (file === "" || isJsonObject(plugin["configuration"])) return withKubeconfig(plugin);
    const found = objectIn(resolve(dirname(path), file), "admission plugin configuration");
    return withKubeconfig({ ...plugin, configuration: found });
  });
  return { admissionControlConfigFile: { ...configuration, plugins } };
}

/** What upstream says of the file of the webhook plugins (apiserver, plugin/webhook/config/kubeconfig.go). */
const notAbsolute = "must be an absolute file path";

/** A plugin with the text of the kubeconfig that its configuration names. @throws {Error} */
function withKubeconfig(plugin: JsonObject): JsonObject {
  const configuration = structAt(plugin, "configuration");
  const own = textAt(configuration, "kubeConfigFile");
  if (own !== "") {
    if (!isAbsolute(own)) throw new Error(formatFieldError(fieldInvalid("kubeConfigFile", own, notAbsolute)));
    return {
      ...plugin,
      configuration: { ...configuration, kubeConfigFile: JSON.stringify(selfContained(own)) },
    };
  }
  const policy = structAt(configuration, "imagePolicy");
  const named = textAt(policy, "kubeConfigFile");
  if (named === "") return plugin;
  const kubeConfigFile = JSON.stringify(selfContained(named));
  return { ...plugin, configuration: { ...configuration, imagePolicy: { ...policy, kubeConfigFile } } };
}

/** A kubeconfig in which the data take the place of the files that it names relative to itself. @throws {Error} */
function selfContained(path: string): JsonObject {
  const kubeconfig = objectIn(path, "kubeconfig");
  const textOf = (file: string) => readFileSync(resolve(dirname(path), file));
  const filled = (list: string, member: string) =>
    listAt(kubeconfig, list).map((entry) => {
      const filledIn: Record<string, JsonValue> = { ...structAt(entry, member) };
      for (const key of ["certificate-authority", "client-certificate", "client-key"]) {
        const file = textAt(filledIn, key);
        // Data count before a file.
        if (file !== "" && textAt(filledIn, `${key}-data`) === "") {
          filledIn[`${key}-data`] = textOf(file).toString("base64");
        }
      }
      const tokenFile = textAt(filledIn, "tokenFile");
      if (tokenFile !== "") filledIn["token"] = textOf(tokenFile).toString().trim();
      delete filledIn["tokenFile"];
      return { ...entry, [member]: filledIn };
    });
  return { ...kubeconfig, clusters: filled("clusters", "cluster"), users: filled("users", "user") };
}

function objectIn(path: string, what: string): JsonObject {
  const problem = (text: string) =>
    new Error(`unable to read ${what} from ${JSON.stringify(path)} [${text}]`);
  try {
    const value = parseYaml(readFileSync(path, "utf8"));
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw problem(messageOf(error));
  }
  throw problem("not an object");
}
