import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { listAt, textAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../apimachinery/json.ts";
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
  const plugins = listAt(configuration, "plugins").map((plugin): JsonObject => {
    const file = textAt(plugin, "path");
    // A nested configuration counts before a path.
    if (file === "" || isJsonObject(plugin["configuration"])) return plugin;
    const found = objectIn(resolve(dirname(path), file), "admission plugin configuration");
    return { ...plugin, configuration: found };
  });
  return { admissionControlConfigFile: { ...configuration, plugins } };
}

function objectIn(path: string, what: string): JsonObject {
  const problem = (text: string) =>
    new Error(`unable to read ${what} from ${JSON.stringify(path)} [${text}]`);
  try {
    const value = parseYaml(readFileSync(path, "utf8"));
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw problem(error instanceof Error ? error.message : String(error));
  }
  throw problem("not an object");
}
